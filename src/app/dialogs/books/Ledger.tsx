import type { Books } from '../../../contract/entities';
import { useAction } from '../../hooks/useAction';
import { detailOr } from '../../hooks/useErrorToast';
import type { Resource } from '../../hooks/useResource';
import { useMay } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DateTime } from '../../ui/DateTime';
import { formatCountOf } from '../../ui/formatCount';
import { Money } from '../../ui/Money';
import { Waiting } from '../../ui/Waiting';

/** When the ledger was last verified, by how much it is off, and what was found. */
export function Ledger({ books, tenantId }: { books: Resource<Books>; tenantId: number | undefined }) {
  const api = useDialogApi(),
    mayVerify = useMay('money');
  const verify = useAction(
    (_: null) => api.verifyBooks({ body: tenantId === undefined ? {} : { tenant_id: tenantId } }),
    { done: 'Verifying in the background', failed: detailOr('Failed to verify the books'), onDone: books.reload },
  );
  const { data, busy } = books;
  return (
    <section aria-label="Ledger" aria-busy={busy}>
      <h3>Ledger</h3>
      {data ? (
        <Verdict books={data} tenantId={tenantId} />
      ) : (
        <Waiting for={books} failure="Failed to fetch the books" />
      )}
      {data?.is_checking ? (
        <p role="status">
          <label>
            Verifying, {data.progress}% <progress value={data.progress} max={100} />
          </label>
        </p>
      ) : (
        mayVerify && (
          <Button disabled={!data} busy={verify.busy} onClick={() => void verify.run(null)}>
            Verify now
          </Button>
        )
      )}
    </section>
  );
}

function Verdict({ books, tenantId }: { books: Books; tenantId: number | undefined }) {
  const { verified_at, off_by, differences, findings } = books;
  if (!verified_at) return <p>Not verified yet.</p>;
  const isOff = differences > 0;
  return (
    <>
      <p>
        Last verified{' '}
        <b>
          <DateTime at={verified_at} tenantId={tenantId} />
        </b>
        , off by <b>{isOff ? <Money amount={-off_by} signed /> : <Money amount={0} />}</b>
        {isOff ? ` in ${formatCountOf(differences, 'difference')}.` : '. Everything adds up.'}
      </p>
      {isOff && (
        <ul className="why">
          {findings.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </>
  );
}
