import type { Config } from '../../../config/index.js';
import { signerSettings } from '../../../config/index.js';
import { openChild } from './child-signer.js';
import { KeptSigner } from './kept-signer.js';
import { openSocket, type SignerAddress } from './signer-socket.js';

/**
 * The signer that the settings name, opened once it begins or is asked; null where keys are opened in this process.
 *
 * @param ring the text of the local key ring, which the child is handed
 */
export function openSigner(config: Config, ring: string, complain: (line: string) => void): KeptSigner | null {
  if (config.get('SIGNER') === 'in-process') return null;
  if (config.get('SIGNER') === 'own-process') {
    return new KeptSigner((signal) => openChild(signerSettings(config, ring), { signal }), complain);
  }
  return new KeptSigner((signal) => openSocket(addressOf(config), signal), complain);
}

/**
 * Shakes hands with the signer at SIGNER_SOCKET, and leaves.
 *
 * @throws Error when nobody listens there, or does not know SIGNER_SECRET
 */
export async function greetSigner(config: Config): Promise<void> {
  const link = await openSocket(addressOf(config));
  link.destroy();
}

const addressOf = (config: Config): SignerAddress => ({
  path: config.signerSocket,
  secret: config.get('SIGNER_SECRET')!,
});
