import type { AboutSigner } from '../../custody/index.js';
import { causeOf, fail, ok, warn, type Finding } from '../finding.js';

const FIX = 'start one with ROLE=signer, as the same user, with the same SIGNER_SOCKET and SIGNER_SECRET';

const RIGHTS = 'see docs/running.md, "A role that alone may read sealed keys"';

/**
 * @param signer SIGNER: where wallet keys are decrypted
 * @param readsKeys SIGNER_READS_KEYS
 * @param greet performs the handshake with a standalone signer
 */
export async function checkSigner(
  { signer, readsKeys }: { signer: string; readsKeys: boolean },
  greet: () => Promise<AboutSigner>,
): Promise<Finding> {
  if (signer === 'own-process') return ok('each instance starts its own signer process');
  if (signer === 'in-process') return ok('wallet keys are decrypted in the process that serves requests');
  try {
    const { readsRows, problem } = await greet();
    if (problem !== null) return fail(`the signer responds but cannot read sealed keys: ${problem}`, RIGHTS);
    if (readsKeys && !readsRows) return fail('SIGNER_READS_KEYS is true, but the signer was given no database', RIGHTS);
    if (readsRows && !readsKeys)
      return warn('the signer can read sealed keys, but instances still pass them to it', RIGHTS);
    return ok(`the signer responds on its socket${readsRows ? ' and reads sealed keys itself' : ''}`);
  } catch (error) {
    return fail(`the signer does not respond (${causeOf(error)})`, FIX);
  }
}
