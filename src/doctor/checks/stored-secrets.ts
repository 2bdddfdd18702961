import { PEPPER_CONTEXT } from '../../identity/index.js';
import { Envelope, SealedBlobError, type KeyVault } from '../../vault/index.js';
import { causeOf, fail, ok, warn, type Finding } from '../finding.js';

const FIX = 'set MASTER_KEY to the key that sealed them, or correct KEY_VAULT; an instance does not start like this';

/**
 * A key that seals and opens may still be that of another deployment. What a start opens is opened here.
 *
 * @param sealed null before the first start, and if the database does not respond
 * @param vault null when no key exists yet
 */
export async function checkStoredSecrets(
  sealed: Buffer | null,
  vault: () => Promise<KeyVault | null>,
): Promise<Finding> {
  if (!sealed) return warn('not checked: there are none yet, or the database cannot be used');
  let opened: KeyVault | null = null;
  try {
    opened = await vault();
    if (!opened) return fail('cannot be decrypted: there is no key', FIX);
    (await new Envelope(opened).open(sealed, PEPPER_CONTEXT)).wipe();
    return ok('are decrypted by the key');
  } catch (error) {
    if (error instanceof SealedBlobError) return fail(`cannot be decrypted (${error.reason})`, FIX);
    return warn(`not checked: the key vault cannot be used (${causeOf(error)})`);
  } finally {
    await opened?.close();
  }
}
