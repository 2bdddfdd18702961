import { randomBytes } from 'node:crypto';
import { Envelope, type KeyVault, type SealContext } from '../../vault/index.js';
import { causeOf, fail, ok, warn, type Finding } from '../finding.js';

const PROBE: SealContext = { purpose: 'doctor', environmentId: 'none', subjectId: 'none', kind: 'probe' };
const PROBE_BYTES = 32;

/** @param vault the vault of the service; null when no key exists yet */
export async function checkMasterKey(vault: () => KeyVault | null | Promise<KeyVault | null>): Promise<Finding> {
  let opened: KeyVault | null = null;
  try {
    opened = await vault();
    if (!opened)
      return warn(
        'there is none yet',
        'npm start creates one in DATA_DIR; in production: npm run cli -- keys generate',
      );
    const envelope = new Envelope(opened);
    const probe = randomBytes(PROBE_BYTES);
    const secret = await envelope.open(await envelope.seal(probe, PROBE), PROBE);
    if (!secret.expose().equals(probe)) throw new Error('a secret did not survive being sealed and opened');
    return ok(`seals and opens with key ${opened.currentKeyId}`);
  } catch (error) {
    return fail(causeOf(error), 'set MASTER_KEY to the key that sealed the stored secrets, or correct KEY_VAULT');
  } finally {
    await opened?.close();
  }
}
