import { readFile } from 'node:fs/promises';
import type { INestApplicationContext } from '@nestjs/common';
import type { KeptHead } from '../common/hash-chain.js';
import { isUuid } from '../common/ids.js';
import { LedgerVerifier, type VerifiedLedger } from '../custody/index.js';
import { parseOptions, UsageError } from './arguments.js';
import { environmentOf } from './environments.js';
import { say } from './terminal.js';

/** A line printed by this command, or the hourly line in the service's log. */
const HEAD =
  /\b([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b.*?(?:\brows=(\d+)|\b(\d+) rows\b).*?\bhead[= ]([0-9a-f]{64})\b/i;

const verdictOf = ({ broken }: VerifiedLedger): string =>
  broken ? `BROKEN at row ${broken.sequence}: ${broken.reason}` : 'ok';

/** Prints one line per ledger; the exit code is 1 when a row in any ledger was altered. */
export async function ledgerVerify(app: INestApplicationContext, words: string[]): Promise<void> {
  const { environment, heads } = parseOptions(words, ['environment', 'heads']);
  if (environment !== undefined && !isUuid(environment)) {
    throw new UsageError('--environment must be the id of an environment.');
  }
  const kept = heads === undefined ? new Map<string, KeptHead[]>() : keptHeads(await textOf(heads));
  if (environment !== undefined && heads !== undefined && !kept.has(environment.toLowerCase())) {
    throw new UsageError(
      `--heads contains no head of environment ${environment}, so there is nothing to compare with.`,
    );
  }
  const verifier = app.get(LedgerVerifier);
  const known: string[] = [];
  if (environment === undefined) for await (const id of verifier.environments()) known.push(id);
  // Includes ledgers known only from the heads file: one that was deleted entirely must be reported as truncated.
  const ids = environment === undefined ? new Set([...known, ...kept.keys()]) : [environment.toLowerCase()];
  let broken = 0;
  for (const id of ids) {
    const ledger = await verifier.verify(id, kept.get(id));
    if (ledger.broken) broken++;
    // An environment may not have used a key yet, but a mistyped id must not be reported as intact.
    else if (environment !== undefined && ledger.count === 0) await environmentOf(app, environment);
    say(`${id}  ${ledger.count} rows  head ${ledger.head}  ${verdictOf(ledger)}`);
  }
  if (broken > 0) throw new UsageError(`${broken} ${broken === 1 ? 'ledger is' : 'ledgers are'} not as written.`);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new UsageError('--heads must be a readable file.');
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
  if (kept.size === 0) throw new UsageError('--heads contains no line with a ledger head.');
  return kept;
}
