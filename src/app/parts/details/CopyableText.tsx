import type { ReactNode } from 'react';
import { orDash } from '../../api/parse';
import { CopyButton } from '../CopyButton';

type Props = { what: string; text: string | number | null | undefined; children?: ReactNode };
/** A text with a button that copies it; a dash for none. */
export const CopyableText = ({ what, text, children = orDash(text) }: Props) => (
  <span className="copyable">
    <span>{children}</span> {orDash(text) !== '-' && <CopyButton what={what} text={text} />}
  </span>
);
