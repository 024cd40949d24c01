/** Links that a tenant adds to players, payments and platforms (docs/extras/players.md, "Links"). */

export const linkKinds = ['player', 'payment', 'platform'] as const;
export type LinkKind = (typeof linkKinds)[number];
/** What a link of each kind can name in braces. */
export const linkNames = {
  player: ['player_id', 'email'],
  payment: ['payment_id', 'payment_reference', 'payout_address', 'player_id', 'email'],
  platform: ['platform'],
} as const satisfies Record<LinkKind, readonly string[]>;
export const LINKS_PER_KIND = 5;
export const LINK_LABEL_MAX = 40;
export const LINK_URL_MAX = 500;

/** What is wrong with the address of a link. A value stands behind the host, so it never decides where a link leads. */
export function findLinkProblem(kind: LinkKind, url: string): string | undefined {
  const [, host, rest = ''] = /^https:\/\/([^/?#\\]*)([/?#].*)?$/.exec(url) ?? [];
  if (host === undefined || /[\s\\\p{C}]/u.test(url)) return 'Enter an address that starts with https://';
  if (!/^[a-z\d]([a-z\d.-]*[a-z\d])?(:\d{1,5})?$/.test(host)) return 'The host is small letters, digits, dots, hyphens';
  const known: readonly string[] = linkNames[kind];
  const unknown = rest.match(/\{[^{}]*\}|[{}]/g)?.find((name) => !known.includes(name.slice(1, -1)));
  if (unknown) return `${unknown} is none of ${known.map((name) => `{${name}}`).join(', ')}`;
  return URL.canParse(url) ? undefined : 'This is no address';
}

/** The address with its values, each encoded; null if one is missing, or would be a step to another folder. */
export function fillLink(url: string, values: Readonly<Record<string, unknown>>): string | null {
  let isWhole = true;
  const filled = url.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? String(values[name] ?? '') : '';
    if (/^\.{0,2}$|\p{Surrogate}/u.test(value)) isWhole = false;
    return isWhole ? encodeURIComponent(value) : '';
  });
  return isWhole ? filled : null;
}
