import { PEPPER_CONTEXT } from '../../identity/index.js';
import { Envelope, SealedBlobError, type KeyVault } from '../../vault/index.js';
import { causeOf, fail, ok, warn, type Finding } from '../finding.js';

const FIX = 'set MASTER_KEY to the key that sealed them, or correct KEY_VAULT; an instance does not start like this';
const FIX_SOME =
  'add these keys again behind the first one, and take them away once "npm run cli -- keys rewrap" is done';

/** As long as one that is wrapped by AES-GCM. */
const NO_DATA_KEY = Buffer.alloc(60);

/** A master key that rows of a table are under. */
export interface UsedKey {
  readonly table: string;
  readonly keyId: string;
}

/**
 * A key that seals and opens may still be that of another deployment. What a start opens is opened here. Rows under
 * another key do not keep an instance from starting: their keys are only looked for.
 *
 * @param sealed null before the first start, and if the database does not respond
 * @param vault null when no key exists yet
 */
export async function checkStoredSecrets(
  sealed: Buffer | null,
  used: readonly UsedKey[],
  vault: () => Promise<KeyVault | null>,
): Promise<Finding> {
  if (!sealed) return warn('not checked: there are none yet, or the database cannot be used');
  let opened: KeyVault | null = null;
  try {
    opened = await vault();
    if (!opened) return fail('cannot be decrypted: there is no key', FIX);
    (await new Envelope(opened).open(sealed, PEPPER_CONTEXT)).wipe();
    const missing = await missingKeys(opened, new Set(used.map(({ keyId }) => keyId)));
    if (missing.length === 0) return ok('are decrypted by the key');
    const tables = new Set(used.filter(({ keyId }) => missing.includes(keyId)).map(({ table }) => table));
    return fail(`rows of ${[...tables].join(', ')} are under keys that are missing: ${missing.join(', ')}`, FIX_SOME);
  } catch (error) {
    if (error instanceof SealedBlobError) return fail(`cannot be decrypted (${error.reason})`, FIX);
    return warn(`not checked: the key vault cannot be used (${causeOf(error)})`);
  } finally {
    await opened?.close();
  }
}

/** Each is asked for a data key that it has not wrapped: a vault that has the key says only that this is none of its own. */
async function missingKeys(vault: KeyVault, ids: ReadonlySet<string>): Promise<string[]> {
  const missing: string[] = [];
  for (const keyId of ids) {
    try {
      (await vault.unwrap({ keyId, bytes: NO_DATA_KEY }, PEPPER_CONTEXT)).wipe();
    } catch (error) {
      if (!(error instanceof SealedBlobError)) throw error;
      if (error.reason === 'unknown-key') missing.push(keyId);
    }
  }
  return missing;
}
