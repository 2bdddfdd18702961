import { deriveAccount, derivePrivateKey } from '../derivation/derive-account.js';
import { ed25519Sign } from '../derivation/ed25519-key.js';
import { generateHdEntropy } from '../derivation/hd-seed.js';
import { secp256k1Sign } from '../derivation/secp256k1-key.js';
import { EMBEDDED_CHAINS } from '../embedded-chain.js';
import { usingSeed } from './seed-vault.js';

const DIGEST = Buffer.alloc(32, 1);

/** Runs the first wallet's one-time initialisation ahead of it, with a throwaway seed that is wiped. */
export async function warmUp(): Promise<void> {
  const entropy = generateHdEntropy();
  try {
    await usingSeed(entropy, (seed) => {
      for (const chain of EMBEDDED_CHAINS) {
        deriveAccount(seed, chain, 0);
        const key = derivePrivateKey(seed, chain, 0);
        if (chain === 'SOL' || chain === 'SUI') ed25519Sign(DIGEST, key.expose());
        else secp256k1Sign(DIGEST, key.expose());
        key.wipe();
      }
    });
  } finally {
    entropy.wipe();
  }
}
