/** The path that the app is mounted at, from `<base href>`: '' at the root, '/backoffice' below a path. */
export const mountPath = (): string =>
  new URL(document.querySelector('base')?.getAttribute('href') ?? '/', location.href).pathname.replace(/\/[^/]*$/, '');

/** The origin of the API, from `<meta name="api-base">`; '' is the same origin. */
export const apiBase = (): string =>
  (document.querySelector('meta[name="api-base"]')?.getAttribute('content') ?? '').trim().replace(/\/+$/, '');
