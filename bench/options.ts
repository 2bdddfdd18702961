import { parseArgs } from 'node:util';
import { GOALS, type RowName } from './report/goals.js';

export interface BenchOptions {
  readonly rounds: number;
  /** Length of a round. */
  readonly roundMs: number;
  /** Webhook messages per round of deliveries. */
  readonly messages: number;
  /** Whether the service runs without Redis. */
  readonly inProcess: boolean;
  /** Users in the large database; 0 skips the comparison. */
  readonly growthUsers: number;
  /** Rows to measure; empty for all. */
  readonly rows: ReadonlySet<RowName>;
  /** Whether the program fails if a required minimum is missed. */
  readonly assert: boolean;
  /** Whether to profile the service instead of comparing it. */
  readonly profile: boolean;
}

const FULL = { rounds: 3, roundMs: 3000, messages: 20_000, growthUsers: 1_000_000 };
/** Only shows that everything runs; its figures are meaningless. */
const QUICK = { rounds: 1, roundMs: 1000, messages: 1000, growthUsers: 10_000 };

/** @throws Error with one line that names the invalid option */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      'no-growth': { type: 'boolean', default: false },
      assert: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      'in-process': { type: 'boolean', default: false },
      messages: { type: 'string' },
      rounds: { type: 'string' },
      rows: { type: 'string', default: '' },
    },
  });
  const preset = values.quick ? QUICK : FULL;
  const rounds = values.rounds === undefined ? preset.rounds : Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds is a whole number from 1 (seen: ${rounds})`);
  const messages = values.messages === undefined ? preset.messages : Number(values.messages);
  if (!Number.isInteger(messages) || messages < 1)
    throw new Error(`--messages is a whole number from 1 (seen: ${messages})`);
  return {
    ...preset,
    rounds,
    messages,
    inProcess: values['in-process'],
    ...(values['no-growth'] && { growthUsers: 0 }),
    rows: new Set(
      values.rows
        .split(';')
        .map((name) => name.trim())
        .filter(Boolean)
        .map(rowName),
    ),
    assert: values.assert,
    profile: values.profile,
  };
}

function rowName(name: string): RowName {
  const found = Object.keys(GOALS).find((row) => row.toLowerCase() === name.toLowerCase());
  if (found === undefined) throw new Error(`--rows names rows of the table, separated by semicolons (seen: ${name})`);
  return found as RowName;
}
