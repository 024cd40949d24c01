import { useState } from 'react';
import { useFeature } from '../../state/session';
import { type Signal, saveSignal, signals, storedSignal } from '../../state/storage';
import { useToast } from '../../state/toasts';
import { Select } from '../../ui/Select';
import { mayNotify } from './signal';

const labels: Record<Signal, string> = { off: 'Quiet', sound: 'Sound', notice: 'Sound and desktop notice' };

/** How this person is told of new rows. */
export function SignalChoice() {
  const isOffered = useFeature('new_rows');
  const toast = useToast();
  const [chosen, choose] = useState(storedSignal);
  async function change(wanted: Signal): Promise<void> {
    const isRefused = wanted === 'notice' && !(await mayNotify());
    if (isRefused) toast.error('This browser does not allow desktop notices here');
    const signal = isRefused ? 'sound' : wanted;
    saveSignal(signal);
    choose(signal);
  }
  return isOffered ? (
    <Select
      label="New rows"
      options={signals.map((value) => ({ value, label: labels[value] }))}
      value={chosen}
      onChange={({ target }) => void change(target.value as Signal)}
    />
  ) : null;
}
