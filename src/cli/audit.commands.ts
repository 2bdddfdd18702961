import type { INestApplicationContext } from '@nestjs/common';
import { isUuid } from '../common/ids.js';
import { AuditVerifier, type VerifiedTrail } from '../organizations/index.js';
import { parseOptions, UsageError } from './arguments.js';
import { say } from './terminal.js';

const verdictOf = ({ broken }: VerifiedTrail): string =>
  broken ? `BROKEN at record ${broken.sequence}: ${broken.reason}` : 'ok';

const HEAD = /^(\d{1,15}):([0-9a-f]{64})$/;

/** @throws UsageError unless it is the record count and the head from a log line */
function parseHead(text: string): { sequence: number; hash: string } {
  const [, sequence, hash] = HEAD.exec(text) ?? [];
  if (!sequence || !hash) throw new UsageError('--head must be <records>:<head>, as written in the log.');
  return { sequence: Number(sequence), hash };
}

/** Prints one line per trail; the exit code is 1 when a record in any trail was altered. */
export async function auditVerify(app: INestApplicationContext, words: string[]): Promise<void> {
  const { organization, head } = parseOptions(words, ['organization', 'head']);
  if (organization !== undefined && !isUuid(organization)) {
    throw new UsageError('--organization must be the id of an organization.');
  }
  const published = head === undefined ? undefined : parseHead(head);
  if (published && organization === undefined) throw new UsageError('--head needs --organization.');
  const verifier = app.get(AuditVerifier);
  let broken = 0;
  for await (const id of organization === undefined ? verifier.organizations() : [organization.toLowerCase()]) {
    const trail = await verifier.verify(id, undefined, published);
    if (trail.broken) broken++;
    // Every organization has a record of its creation, so an empty trail means that the id was mistyped.
    else if (trail.count === 0) throw new UsageError(`There is no audit trail for organization ${id}.`);
    say(`${id}  ${trail.count} records  head ${trail.head}  ${verdictOf(trail)}`);
  }
  if (broken > 0) throw new UsageError(`${broken} ${broken === 1 ? 'trail is' : 'trails are'} not as written.`);
}
