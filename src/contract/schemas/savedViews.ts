/** Lists as people keep them under a name (docs/extras/lists.md, "Saved views"). */
import * as v from 'valibot';
import { savedLists, VIEW_NAME_MAX, VIEW_QUERY_MAX } from '../constants';
import { filled, number, oneOf, string, text, visible } from './fields';

const list = oneOf(savedLists);
const name = v.pipe(filled(VIEW_NAME_MAX), visible);
/** The query string of the address, without the question mark. */
const query = v.pipe(text(VIEW_QUERY_MAX), visible);

export const SavedView = v.object({
  id: number,
  list,
  name: string,
  query: string,
});
export type SavedView = v.InferOutput<typeof SavedView>;

export const SavedViewsQuery = v.object({ list });

export const NewSavedView = v.object({ list, name, query });
