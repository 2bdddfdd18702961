import type { Config } from '../../../config/index.js';
import { signerSettings } from '../../../config/index.js';
import { openChild } from './child-signer.js';
import { KeptSigner } from './kept-signer.js';
import { ABOUT, type AboutSigner } from './serve-signer.js';
import type { SignerLink } from './signer-link.js';
import { openSocket, type SignerAddress } from './signer-socket.js';

/**
 * The signer named by the settings, opened when it is started or first called; null if keys are opened in this process.
 *
 * @param ring the text of the local key ring, which is passed to the child
 */
export function openSigner(config: Config, ring: string, complain: (line: string) => void): KeptSigner | null {
  if (config.get('SIGNER') === 'in-process') return null;
  if (config.get('SIGNER') === 'own-process') {
    return new KeptSigner((signal) => openChild(signerSettings(config, ring), { signal }), complain);
  }
  const readsRows = config.get('SIGNER_READS_KEYS');
  const open = async (signal: AbortSignal): Promise<SignerLink> => {
    const link = await openSocket(addressOf(config), signal);
    return readsRows ? assertReads(link) : link;
  };
  return new KeptSigner(open, complain, readsRows);
}

/** A signer that cannot read rows is rejected: one error here, instead of one for every key. */
async function assertReads(link: SignerLink): Promise<SignerLink> {
  const about = await aboutOf(link).catch(() => null);
  if (about?.readsRows) return link;
  link.destroy();
  throw new Error('it reads no keys: SIGNER_READS_KEYS=true needs a signer that was started with SIGNER_DATABASE_URL.');
}

const aboutOf = async (link: SignerLink): Promise<AboutSigner> => (await link.call(ABOUT, [])) as AboutSigner;

/**
 * Performs the handshake with the signer at SIGNER_SOCKET, asks for its capabilities, and disconnects.
 *
 * @throws Error if nothing listens there, or it does not know SIGNER_SECRET
 */
export async function greetSigner(config: Config): Promise<AboutSigner> {
  const link = await openSocket(addressOf(config));
  try {
    return await aboutOf(link);
  } finally {
    link.destroy();
  }
}

const addressOf = (config: Config): SignerAddress => ({
  path: config.signerSocket,
  secret: config.get('SIGNER_SECRET')!,
});
