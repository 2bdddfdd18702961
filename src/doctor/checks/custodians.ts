import type { CustodyVersion } from '../../custody/index.js';
import { ok, warn, type Finding } from '../finding.js';

const FIX = 'list the module of the custodian again, or see docs/extending.md, "Taking an extension away"';

/**
 * Custodians of extensions: one that was taken away leaves wallets that nobody can use.
 *
 * @param inUse versions of wallets that such a custodian holds; null if the database cannot be used
 * @param installed the versions that custodians hold here, asked only if there are such wallets
 */
export async function checkCustodians(
  inUse: readonly CustodyVersion[] | null,
  installed: () => Promise<readonly CustodyVersion[]>,
): Promise<Finding> {
  if (!inUse) return warn('not checked: the database cannot be used');
  if (inUse.length === 0) return ok('no wallets are held by an extension');
  const here = await installed();
  const left = inUse.filter((version) => !here.includes(version));
  return left.length === 0
    ? ok(`wallets of version ${inUse.join(', ')} have theirs`)
    : warn(`wallets of version ${left.join(', ')} have none: their keys are out of reach`, FIX);
}
