import type { ComponentProps } from 'react';
import { useFeature } from '../session';
import { lazyPart } from '../ui/lazyPart';

const SaveCsv = lazyPart(() => import('./SaveCsv').then((file) => file.SaveCsv), 'quiet');

/** 'Export CSV': all pages of what a list shows; nothing where the server has no files. */
export const ExportButton = (props: ComponentProps<typeof SaveCsv>) => (useFeature('export') ? <SaveCsv {...props} /> : null);
