import { type ParseArgsConfig, parseArgs } from 'node:util';
import { readSettings, SettingsError } from '../core/settings';
import { attempt } from '../db/attempt';

export type Env = Readonly<Record<string, string | undefined>>;
/** Prints words for the operator. */
export type Say = (words: string) => void;

export const wrongUsage = (usage: string) => new SettingsError(`Usage: ${usage}`);

/** Reads the arguments and the settings, those of the sample data with --demo. Anything unknown is wrong usage. */
export function readCommand<const O extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  args: string[],
  env: Env,
  known: O,
) {
  const options = { demo: { type: 'boolean', default: false }, ...known } as const;
  const parsed = attempt(() => parseArgs({ args, allowPositionals: true, options }));
  if (!parsed) throw wrongUsage(usage);
  const { demo } = parsed.values as { demo?: boolean };
  return { ...parsed, settings: readSettings(demo ? ['--demo'] : [], env) };
}
