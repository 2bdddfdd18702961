import { readFile } from 'node:fs/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { isUuid } from '../common/ids.js';
import { LedgerVerifier, type KeptHead, type VerifiedLedger } from '../custody/index.js';
import { parseOptions, UsageError } from './arguments.js';
import { environmentOf } from './environments.js';

/** A line that this command printed, or that the service writes into its log every hour. */
const HEAD =
  /\b([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b.*?(?:\brows=(\d+)|\b(\d+) rows\b).*?\bhead[= ]([0-9a-f]{64})\b/i;

const verdictOf = ({ broken }: VerifiedLedger): string =>
  broken ? `BROKEN at row ${broken.sequence}: ${broken.reason}` : 'ok';

/** One line for each ledger, and the exit code 1 when a row of any is not as it was written. */
export async function ledgerVerify(app: INestApplicationContext, words: string[]): Promise<void> {
  const { environment, heads } = parseOptions(words, ['environment', 'heads']);
  if (environment !== undefined && !isUuid(environment)) {
    throw new UsageError('--environment must be the id of an environment.');
  }
  const kept = heads === undefined ? new Map<string, KeptHead[]>() : keptHeads(await textOf(heads));
  const verifier = app.get(LedgerVerifier);
  const known: string[] = [];
  if (environment === undefined) for await (const id of verifier.environments()) known.push(id);
  // A ledger that was kept and is gone as a whole is cut off at its first row.
  const ids = environment === undefined ? new Set([...known, ...kept.keys()]) : [environment.toLowerCase()];
  let broken = 0;
  for (const id of ids) {
    const ledger = await verifier.verify(id, kept.get(id));
    if (ledger.broken) broken++;
    // An environment may have used no key yet; an id that was mistyped must not be found sound.
    else if (environment !== undefined && ledger.count === 0) await environmentOf(app, environment);
    console.log(`${id}  ${ledger.count} rows  head ${ledger.head}  ${verdictOf(ledger)}`);
  }
  if (broken > 0) throw new UsageError(`${broken} ${broken === 1 ? 'ledger is' : 'ledgers are'} not as written.`);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new UsageError('--heads must be a file that can be read.');
  }
}

function keptHeads(text: string): Map<string, KeptHead[]> {
  const kept = new Map<string, KeptHead[]>();
  for (const line of text.split('\n')) {
    const [, id, logged, printed, hash] = HEAD.exec(line) ?? [];
    const sequence = Number(logged ?? printed);
    if (!id || !hash || sequence === 0) continue;
    kept.set(id.toLowerCase(), [...(kept.get(id.toLowerCase()) ?? []), { sequence, hash }]);
  }
  if (kept.size === 0) throw new UsageError('--heads has no line with the head of a ledger.');
  return kept;
}
