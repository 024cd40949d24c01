import { platformLabels } from '../../contract/platforms';
import { orDash } from '../api/parse';

const labels: Readonly<Record<string, string>> = platformLabels;
/** The display name of a game platform; an unknown name as it is, a dash for none. */
export const formatPlatform = (name: unknown): string => labels[orDash(name)] ?? orDash(name);
