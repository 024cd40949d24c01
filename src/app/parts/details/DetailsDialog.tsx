import { useCall } from '../../hooks/useCall';
import { useApi, useFeature } from '../../state/session';
import { STILL_WAITING } from '../../state/toasts';
import { Dialog } from '../../ui/Dialog';
import { formatReason } from '../formatReason';
import { TemplateLinks, useLinkTemplates } from '../links/TemplateLinks';
import { type Line, Lines } from './Lines';

interface Props {
  title: string;
  id: number;
  lines: readonly Line[];
  tenantId: number | undefined;
  links: Readonly<Record<string, unknown>>;
  onClose: () => void;
}
/** Everything about one purchase, deposit or redeem; if the server offers it, also who made and decided it. */
export function DetailsDialog({ title, id, lines, tenantId, links, onClose }: Props) {
  const isOffered = useFeature('details');
  const templates = useLinkTemplates(tenantId);
  return (
    <Dialog title={title} withClose onClose={onClose}>
      {/* A link in it leads elsewhere. */}
      <table className="facts" onClick={({ target }) => target instanceof Element && target.closest('a') && onClose()}>
        <tbody>
          <Lines lines={lines} />
          {isOffered && <People id={id} />}
        </tbody>
      </table>
      {templates.data?.some(({ kind }) => kind === 'payment') && (
        <p>
          <TemplateLinks templates={templates.data} kind="payment" values={{ payment_id: id, ...links }} />
        </p>
      )}
    </Dialog>
  );
}

function People({ id }: { id: number }) {
  const api = useApi();
  const { data, failed, slow } = useCall(api.getTransactionDetails, { id }, 'Failed to fetch the details');
  const lines: Line[] = data
    ? [
        ['Made by', data.made_by],
        ['Decided by', data.decided_by],
        ['Reason', formatReason(data)],
        // Lists of redeems do not carry it.
        ['Description', data.kind === 'redeem' && data.description],
      ]
    : [['Made by', !failed && (slow ? STILL_WAITING : 'Loading…')]];
  return <Lines lines={lines} />;
}
