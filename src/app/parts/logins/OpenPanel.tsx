/** Leads to where the tenant's staff work at a platform, which does not learn from where they come. */
export const OpenPanel = ({ url, shortcut }: { url: string | null | undefined; shortcut?: string }) =>
  url && /^https:\/\//i.test(url) ? (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      referrerPolicy="no-referrer"
      aria-keyshortcuts={shortcut}
      title={shortcut && `Key: ${shortcut}`}
    >
      Open panel
    </a>
  ) : null;
