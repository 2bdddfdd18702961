import type { SourceEdit } from './source-edit.js';

export interface Mutation {
  readonly letter: string;
  readonly title: string;
  /** The fault that fails because of it. */
  readonly caughtBy: string;
  readonly edits: readonly SourceEdit[];
}

/** Planted bugs: a harness that passes with one of them proves nothing. */
export const MUTATIONS: readonly Mutation[] = [
  {
    letter: 'a',
    title: 'due messages are read, and then claimed, without a guard in between',
    caughtBy: 'F5',
    edits: [
      {
        path: 'src/webhooks/delivery/claims.repository.ts',
        anchor: 'LIMIT open.room FOR UPDATE SKIP LOCKED) d',
        replacement: 'LIMIT open.room) d',
      },
    ],
  },
  {
    letter: 'b',
    title: 'nothing sweeps',
    caughtBy: 'F5',
    edits: [
      {
        path: 'src/queue/jobs/jobs.ts',
        anchor: 'this.timers.push(setInterval(work, this.timing.ms(intervalMs)).unref());',
        replacement: 'void [this.timers, this.timing, work, intervalMs];',
      },
    ],
  },
  {
    letter: 'c',
    title: 'a result counts under any lease',
    caughtBy: 'F24',
    edits: [
      {
        path: 'src/webhooks/delivery/results.repository.ts',
        anchor: `AND m.lease_token = r.lease_token AND m.status = 'sending'`,
        replacement: `AND m.status = 'sending'`,
      },
    ],
  },
  {
    letter: 'd',
    title: 'instances migrate side by side',
    caughtBy: 'F21',
    edits: [
      {
        path: 'src/database/migrate.ts',
        anchor: 'SELECT pg_try_advisory_lock(${LOCK}) AS held',
        replacement: 'SELECT true AS held',
      },
    ],
  },
  {
    letter: 'e',
    title: 'an address in place of a name is called as it is',
    caughtBy: 'F16',
    edits: [
      {
        path: 'src/outbound/egress-policy.ts',
        anchor: `if (classifyAddress(host) !== 'public') return 'address';`,
        replacement: 'return null;',
      },
      {
        path: 'src/outbound/guarded-connector.ts',
        anchor: 'for (const { address } of addresses) {',
        replacement: 'for (const { address } of family === 0 ? addresses : []) {',
      },
    ],
  },
  {
    letter: 'f',
    title: 'a code is looked at, and then used up, without a guard in between',
    caughtBy: 'F17',
    edits: [
      {
        path: 'src/identity/codes/codes.repository.ts',
        anchor: `WHERE environment_id = $1 AND id = $2 AND code_hmac = $3 AND used_at IS NULL AND expires_at > now()
       RETURNING destination_hash)`,
        replacement: `WHERE environment_id = $1 AND id = $2 AND EXISTS (SELECT FROM \${table}
       WHERE environment_id = $1 AND id = $2 AND code_hmac = $3 AND used_at IS NULL AND expires_at > now())
       RETURNING destination_hash)`,
      },
    ],
  },
];

/** @throws Error for an unknown letter */
export function mutationOf(letter: string): Mutation {
  const found = MUTATIONS.find((mutation) => mutation.letter === letter);
  if (!found) throw new Error(`--mutation is one of ${MUTATIONS.map((known) => known.letter).join(', ')}`);
  return found;
}
