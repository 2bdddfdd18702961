import type { INestApplicationContext } from '@nestjs/common';
import { RsaKeyPairs, type RsaKeyPair } from '../../src/environments/signing-keys/rsa-key-pairs.js';
import { SecretBytes } from '../../src/vault/index.js';

/** Few suites have more environments. */
const KEPT = 64;
const kept: Promise<RsaKeyPair>[] = [];

/**
 * Reuses key pairs of earlier suites for an application's environments: generating an RSA key takes 50 ms of processor
 * time, and every world has two environments. Keys within one application differ, up to the number that is kept.
 */
export function keepKeyPairs(app: INestApplicationContext): void {
  const pairs = app.get(RsaKeyPairs, { strict: false });
  const make = pairs.make.bind(pairs);
  let made = 0;
  pairs.make = async () => {
    const { publicKey, privateKey } = await (kept[made++ % KEPT] ??= make());
    // The caller wipes it.
    return { publicKey, privateKey: SecretBytes.from(Buffer.from(privateKey.expose())) };
  };
}
