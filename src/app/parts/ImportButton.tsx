import type { ComponentProps } from 'react';
import { useFeature } from '../state/session';
import { lazyWithRetry } from '../ui/lazyWithRetry';

const Import = lazyWithRetry(() => import('./imports/Import').then((file) => file.Import), { quiet: true });

/** 'Import', beside the export of a list. Nothing if the server offers no import. */
export const ImportButton = (props: ComponentProps<typeof Import>) =>
  useFeature('import') ? <Import {...props} /> : null;
