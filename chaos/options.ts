import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export interface ChaosOptions {
  readonly size: 'full' | 'smoke';
  /** Ids of the faults to run, in upper case; empty for all of the size. */
  readonly only: ReadonlySet<string>;
  readonly seed: number;
  /** The letter of a planted bug, in lower case. */
  readonly mutation: string | null;
  /** Whether the run's files are kept for inspection. */
  readonly keep: boolean;
  /** No fault begins after this many minutes; Infinity by default. */
  readonly minutes: number;
}

const SEEDS = 2 ** 31;

/** @throws Error with one line that names the invalid option */
export function parseOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      smoke: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      seed: { type: 'string' },
      mutation: { type: 'string' },
      minutes: { type: 'string' },
    },
  });
  const seed = values.seed === undefined ? randomInt(SEEDS) : Number(values.seed);
  if (!Number.isInteger(seed) || seed < 0) throw new Error(`--seed is a whole number from 0 (seen: ${values.seed})`);
  const minutes = values.minutes === undefined ? Infinity : Number(values.minutes);
  if (!(minutes > 0)) throw new Error(`--minutes is a number above 0 (seen: ${values.minutes})`);
  const ids = values.only.split(',').map((id) => id.trim().toUpperCase());
  return {
    size: values.smoke ? 'smoke' : 'full',
    only: new Set(ids.filter(Boolean)),
    seed,
    mutation: values.mutation?.toLowerCase() ?? null,
    keep: values.keep,
    minutes,
  };
}
