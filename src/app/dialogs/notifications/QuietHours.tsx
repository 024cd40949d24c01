import { useState } from 'react';
import type { NotificationSettings } from '../../../contract/entities';
import { useAction } from '../../hooks/useAction';
import { detailOr } from '../../hooks/useErrorToast';
import { useApi } from '../../state/session';
import { Select } from '../../ui/Select';
import { formatHour } from './ruleTexts';

const options = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: formatHour(hour) }));

/** When nothing is sent. What rings then is sent when the quiet hours end; the app shows it at once. */
export function QuietHours({
  owner,
  settings,
  reload,
}: {
  owner: number;
  settings: NotificationSettings;
  reload: () => Promise<unknown>;
}) {
  const api = useApi();
  const [isQuiet, setQuiet] = useState(settings.quiet_from !== null);
  const [from, setFrom] = useState(settings.quiet_from ?? 22);
  const [to, setTo] = useState(settings.quiet_to ?? 7);
  const save = useAction(api.saveQuietHours, {
    done: 'Quiet hours saved',
    failed: detailOr('Failed to save the quiet hours'),
    onDone: reload,
  });
  return (
    <section aria-label="Quiet hours">
      <h3>Quiet hours</h3>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save.run({ body: { tenant_id: owner, is_quiet: isQuiet, quiet_from: from, quiet_to: to } });
        }}
      >
        <label>
          <input type="checkbox" role="switch" checked={isQuiet} onChange={(event) => setQuiet(event.target.checked)} />
          Send nothing at night but what is marked “Also in quiet hours”
        </label>
        {isQuiet && (
          <div className="grid">
            <Select
              label="From"
              value={from}
              options={options}
              onChange={({ target }) => setFrom(Number(target.value))}
            />
            <Select label="To" value={to} options={options} onChange={({ target }) => setTo(Number(target.value))} />
          </div>
        )}
        {isQuiet && <p>In the time zone {settings.time_zone}.</p>}
        <p>
          <button disabled={save.busy || (isQuiet && from === to)}>Save quiet hours</button>
        </p>
      </form>
    </section>
  );
}
