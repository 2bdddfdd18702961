import type { INestApplicationContext } from '@nestjs/common';
import { isUuid } from '../common/ids.js';
import { AuditVerifier, type VerifiedTrail } from '../organizations/index.js';
import { parseOptions, UsageError } from './arguments.js';

const verdictOf = ({ broken }: VerifiedTrail): string =>
  broken ? `BROKEN at record ${broken.sequence}: ${broken.reason}` : 'ok';

const HEAD = /^(\d{1,15}):([0-9a-f]{64})$/;

/** @throws UsageError for anything but the two figures of a line of the log */
function parseHead(text: string): { sequence: number; hash: string } {
  const [, sequence, hash] = HEAD.exec(text) ?? [];
  if (!sequence || !hash) throw new UsageError('--head must be <records>:<head>, as the log has them.');
  return { sequence: Number(sequence), hash };
}

/** One line for each trail, and the exit code 1 when a record of any is not as it was written. */
export async function auditVerify(app: INestApplicationContext, words: string[]): Promise<void> {
  const { organization, head } = parseOptions(words, ['organization', 'head']);
  if (organization !== undefined && !isUuid(organization)) {
    throw new UsageError('--organization must be the id of an organization.');
  }
  const published = head === undefined ? undefined : parseHead(head);
  if (published && organization === undefined) throw new UsageError('--head is that of one --organization.');
  const verifier = app.get(AuditVerifier);
  let broken = 0;
  for await (const id of organization === undefined ? verifier.organizations() : [organization.toLowerCase()]) {
    const trail = await verifier.verify(id, undefined, published);
    if (trail.broken) broken++;
    // Every organization has a record of its creation: an id that was mistyped must not be found sound.
    else if (trail.count === 0) throw new UsageError(`There is no trail of an organization ${id}.`);
    console.log(`${id}  ${trail.count} records  head ${trail.head}  ${verdictOf(trail)}`);
  }
  if (broken > 0) throw new UsageError(`${broken} ${broken === 1 ? 'trail is' : 'trails are'} not as written.`);
}
