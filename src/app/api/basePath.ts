/** Where the app is mounted, from `<base href>`: '' at the root, '/backoffice' below a path. */
export const mountPath = (): string =>
  new URL(document.querySelector('base')?.getAttribute('href') ?? '/', location.href).pathname.replace(/\/[^/]*$/, '');

/** Where the calls go, from `<meta name="api-base">`; empty is the same origin. */
export const apiBase = (): string =>
  (document.querySelector('meta[name="api-base"]')?.getAttribute('content') ?? '').trim().replace(/\/+$/, '');
