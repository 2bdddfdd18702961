import type { INestApplicationContext } from '@nestjs/common';
import { isUuid } from '../common/ids.js';
import { AuditVerifier, type VerifiedTrail } from '../organizations/index.js';
import { parseOptions, UsageError } from './arguments.js';

const verdictOf = ({ broken }: VerifiedTrail): string =>
  broken ? `BROKEN at record ${broken.sequence}: ${broken.reason}` : 'ok';

/** One line for each trail, and the exit code 1 when a record of any is not as it was written. */
export async function auditVerify(app: INestApplicationContext, words: string[]): Promise<void> {
  const { organization } = parseOptions(words, ['organization']);
  if (organization !== undefined && !isUuid(organization)) {
    throw new UsageError('--organization must be the id of an organization.');
  }
  const verifier = app.get(AuditVerifier);
  let broken = 0;
  for await (const id of organization === undefined ? verifier.organizations() : [organization.toLowerCase()]) {
    const trail = await verifier.verify(id);
    if (trail.broken) broken++;
    console.log(`${id}  ${trail.count} records  head ${trail.head}  ${verdictOf(trail)}`);
  }
  if (broken > 0) throw new UsageError(`${broken} ${broken === 1 ? 'trail is' : 'trails are'} not as written.`);
}
