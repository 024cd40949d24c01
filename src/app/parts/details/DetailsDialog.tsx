import type { ReactNode } from 'react';
import { orDash } from '../../api/parse';
import { useResource } from '../../hooks/useResource';
import { useApi, useFeature } from '../../state/session';
import { STILL_WAITING } from '../../state/toasts';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { formatReason } from '../formatReason';
import { TemplateLinks, useLinkTemplates } from '../links/TemplateLinks';

export type Line = readonly [name: string, value: ReactNode];

/**
 * Everything about one purchase, deposit or redeem; if the server offers it, also who made it, who decided it and why.
 */
export function DetailsDialog({
  title,
  id,
  lines,
  tenantId,
  links,
  onClose,
}: {
  title: string;
  id: number;
  lines: readonly Line[];
  tenantId: number | undefined;
  /** What the tenant's links can name. */
  links: Readonly<Record<string, unknown>>;
  onClose: () => void;
}) {
  const isOffered = useFeature('details');
  const templates = useLinkTemplates(tenantId);
  return (
    <Dialog title={title} onClose={onClose}>
      {/* A link in it leads elsewhere. */}
      <table onClick={({ target }) => target instanceof Element && target.closest('a') && onClose()}>
        <tbody>
          {lines.map((line) => (
            <Row key={line[0]} line={line} />
          ))}
          {isOffered && <People id={id} />}
        </tbody>
      </table>
      {templates.data?.some(({ kind }) => kind === 'payment') && (
        <p>
          <TemplateLinks templates={templates.data} kind="payment" values={{ payment_id: id, ...links }} />
        </p>
      )}
      <footer>
        <Button onClick={onClose}>Close</Button>
      </footer>
    </Dialog>
  );
}

const Row = ({ line: [name, value] }: { line: Line }) => (
  <tr>
    <th scope="row">{name}</th>
    <td>{value}</td>
  </tr>
);

function People({ id }: { id: number }) {
  const api = useApi();
  const { data, failed, slow } = useResource(
    (signal) => api.getTransactionDetails({ id }, { signal }),
    [api, id],
    'Failed to fetch the details',
  );
  const waiting = failed ? '-' : slow ? STILL_WAITING : 'Loading…';
  const lines: Line[] = [
    ['Made by', data ? orDash(data.made_by) : waiting],
    ['Decided by', data ? orDash(data.decided_by) : waiting],
    ['Reason', data ? formatReason(data) : waiting],
    // Lists of redeems do not carry it.
    ...(data?.kind === 'redeem' ? [['Description', orDash(data.description)] as Line] : []),
  ];
  return lines.map((line) => <Row key={line[0]} line={line} />);
}
