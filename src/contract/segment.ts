/**
 * A selection of players as text, in the address of the Users list and from other systems: `tag:vip ggr:100..
 * last_purchase:..2026-08-01 affiliate:AFF-7 hold:yes` (docs/extras/players.md, "Filters"). Every word must hold.
 */
import { TAG_MAX } from './constants';
import { isDay } from './isDay';

/** Blank: no bound. */
export interface Segment {
  tags: string[];
  /** Business days of the last successful purchase, both inclusive. */
  bought_from: string;
  bought_to: string;
  /** Dollars of individual GGR, both inclusive. */
  ggr_from: string;
  ggr_to: string;
  /** Its ID, in any case. */
  affiliate: string;
  /** Payouts are on hold. */
  is_held: boolean;
}
export const SEGMENT_MAX = 300;
const SEGMENT_TAGS = 5;
export const noSegment: Segment = {
  tags: [],
  bought_from: '',
  bought_to: '',
  ggr_from: '',
  ggr_to: '',
  affiliate: '',
  is_held: false,
};

const isAmount = (text: string) => /^-?\d{1,11}(\.\d{1,2})?$/.test(text);
const unquote = (text: string) => (text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text);

/** Reads a selection. What it does not understand is a `problem`, and never ignored. */
export function parseSegment(text: string): Segment & { problem?: string } {
  const found: Segment = { ...noSegment, tags: [] };
  for (const [word, name, value = ''] of text.matchAll(/([a-z_]+):("(?:[^"]|"")*"(?!\S)|[^\s"]\S*)|\S+/g)) {
    const [, from = '', to = ''] = /^(.*?)\.\.(.*)$/.exec(value) ?? [];
    if (name === 'tag') found.tags.push(unquote(value));
    else if (name === 'affiliate' && !found.affiliate && unquote(value).trim()) found.affiliate = unquote(value);
    else if (name === 'ggr' && (from || to)) Object.assign(found, { ggr_from: from, ggr_to: to });
    else if (name === 'last_purchase' && (from || to)) Object.assign(found, { bought_from: from, bought_to: to });
    else if (word === 'hold:yes') found.is_held = true;
    else return { ...found, problem: `Not understood: ${word}` };
  }
  const problem = findProblem(found);
  return problem ? { ...found, problem } : found;
}

function findProblem({ tags, bought_from, bought_to, ggr_from, ggr_to }: Segment): string | undefined {
  if (tags.length > SEGMENT_TAGS) return `At most ${SEGMENT_TAGS} tags.`;
  if (tags.some((tag) => !tag.trim() || tag.length > TAG_MAX)) return `A tag has 1 to ${TAG_MAX} characters.`;
  if ([bought_from, bought_to].some((day) => day && !isDay(day))) return 'Enter dates as YYYY-MM-DD.';
  if ([ggr_from, ggr_to].some((amount) => amount && !isAmount(amount)))
    return 'Enter amounts in dollars with at most 2 decimals.';
  if (bought_from && bought_to && bought_from > bought_to) return 'The first day is after the last.';
  if (ggr_from && ggr_to && Number(ggr_from) > Number(ggr_to)) return 'The lowest GGR is above the highest.';
  return undefined;
}

const quote = (text: string) => (/[\s"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
/** A selection as text, always the same for the same selection; '' if it has every player. */
export const formatSegment = ({
  tags,
  bought_from,
  bought_to,
  ggr_from,
  ggr_to,
  affiliate,
  is_held,
}: Segment): string =>
  [
    ...tags.map((tag) => `tag:${quote(tag)}`),
    ...(bought_from || bought_to ? [`last_purchase:${bought_from}..${bought_to}`] : []),
    ...(ggr_from || ggr_to ? [`ggr:${ggr_from}..${ggr_to}`] : []),
    ...(affiliate ? [`affiliate:${quote(affiliate)}`] : []),
    ...(is_held ? ['hold:yes'] : []),
  ].join(' ');
