/** Links that a tenant adds to players, payments and platforms; they need the feature `link_templates`. */
import * as v from 'valibot';
import { findLinkProblem, LINK_LABEL_MAX, LINK_URL_MAX, LINKS_PER_KIND, type LinkKind, linkKinds } from '../links';
import { id, oneOf, reference, unlessBlank } from './fields';

export const LinkTemplate = v.pipe(
  v.object({ kind: oneOf(linkKinds), label: reference(LINK_LABEL_MAX), url: reference(LINK_URL_MAX) }),
  v.check(
    ({ kind, url }) => findLinkProblem(kind, url) === undefined,
    ({ input }) => {
      const { kind, url } = input as { kind: LinkKind; url: string };
      return findLinkProblem(kind, url) ?? '';
    },
  ),
);
export type LinkTemplate = v.InferOutput<typeof LinkTemplate>;

/** All links of a tenant, in the order in which they are shown. */
export const LinkTemplatesForm = v.object({
  templates: v.pipe(
    v.array(LinkTemplate, 'expected a list of links'),
    v.maxLength(linkKinds.length * LINKS_PER_KIND, `at most ${LINKS_PER_KIND} of each kind`),
    v.check(
      (all) => linkKinds.every((kind) => all.filter((one) => one.kind === kind).length <= LINKS_PER_KIND),
      `at most ${LINKS_PER_KIND} of each kind`,
    ),
  ),
  tenant_id: unlessBlank(id),
});
