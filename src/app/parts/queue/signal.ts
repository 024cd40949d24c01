import type { MoneyList } from '../../../contract/constants';
import { storedSignal } from '../../state/storage';

/** Asks the browser for notices; false if it knows of none or the person says no. */
export const mayNotify = async (): Promise<boolean> =>
  'Notification' in window && (await Notification.requestPermission()) === 'granted';

function beep(): void {
  const audio = new AudioContext();
  const tone = audio.createOscillator(),
    volume = audio.createGain();
  volume.gain.value = 0.1;
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => void audio.close();
  tone.start();
  tone.stop(audio.currentTime + 0.15);
}

/** Tells of new rows as the person has chosen. A browser that cannot must not stop the list. */
export function signalNew(list: MoneyList, count: number): void {
  const chosen = storedSignal();
  if (chosen === 'off') return;
  try {
    beep();
    if (chosen === 'notice') new Notification(`${list}: ${count} new`, { tag: list });
  } catch (error) {
    console.error(error);
  }
}
