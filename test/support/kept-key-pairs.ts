import type { INestApplicationContext } from '@nestjs/common';
import { RsaKeyPairs, type RsaKeyPair } from '../../src/environments/signing-keys/rsa-key-pairs.js';
import { SecretBytes } from '../../src/vault/index.js';

/** Hardly a suite has more environments. */
const KEPT = 64;
const kept: Promise<RsaKeyPair>[] = [];

/**
 * The environments of an application get key pairs that were made for those of the suites before: to find two primes takes
 * the processor 50 ms, and every world has two environments. Those of one application differ, up to the number that is kept.
 */
export function keepKeyPairs(app: INestApplicationContext): void {
  const pairs = app.get(RsaKeyPairs, { strict: false });
  const make = pairs.make.bind(pairs);
  let made = 0;
  pairs.make = async () => {
    const { publicKey, privateKey } = await (kept[made++ % KEPT] ??= make());
    // Whoever takes it wipes it.
    return { publicKey, privateKey: SecretBytes.from(Buffer.from(privateKey.expose())) };
  };
}
