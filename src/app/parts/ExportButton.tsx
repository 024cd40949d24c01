import type { ComponentProps } from 'react';
import { useFeature } from '../state/session';
import { lazyWithRetry } from '../ui/lazyWithRetry';

const SaveCsv = lazyWithRetry(() => import('./SaveCsv').then((file) => file.SaveCsv), { quiet: true });

/** 'Export CSV': all pages of the list with its filters. Nothing if the server offers no export. */
export const ExportButton = (props: ComponentProps<typeof SaveCsv>) =>
  useFeature('export') ? <SaveCsv {...props} /> : null;
