import type { AboutSigner } from '../../custody/index.js';
import { causeOf, fail, ok, warn, type Finding } from '../finding.js';

const FIX = 'start one with ROLE=signer, as the same user, with the same SIGNER_SOCKET and SIGNER_SECRET';

const RIGHTS = 'see docs/running.md, "A role that alone may read sealed keys"';

/**
 * @param signer SIGNER, where keys of wallets are opened
 * @param readsKeys SIGNER_READS_KEYS
 * @param greet shakes hands with a signer that runs alone
 */
export async function checkSigner(
  { signer, readsKeys }: { signer: string; readsKeys: boolean },
  greet: () => Promise<AboutSigner>,
): Promise<Finding> {
  if (signer === 'own-process') return ok('each instance starts a process of its own for keys of wallets');
  if (signer === 'in-process') return ok('keys of wallets are opened where requests are answered');
  try {
    const { readsRows, problem } = await greet();
    if (problem !== null) return fail(`the signer answers, and reads no sealed keys: ${problem}`, RIGHTS);
    if (readsKeys && !readsRows) return fail('SIGNER_READS_KEYS is true, and the signer was given no database', RIGHTS);
    if (readsRows && !readsKeys) return warn('the signer could read sealed keys, and instances hand them over', RIGHTS);
    return ok(`the signer answers on its socket${readsRows ? ' and reads sealed keys itself' : ''}`);
  } catch (error) {
    return fail(`the signer does not answer (${causeOf(error)})`, FIX);
  }
}
