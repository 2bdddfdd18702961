import { describe, expect, it } from '@jest/globals';
import { CipherSuite, Aes256Gcm, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import type { EnvironmentId } from '../../auth/index.js';
import { Envelope, generateMasterKey, parseKeyRing } from '../../vault/index.js';
import { EMBEDDED_CHAINS } from '../embedded-chain.js';
import { sealTo } from '../../vault/index.js';
import { LocalWalletSigner } from './local-wallet-signer.js';
import { SeedVault } from './seed-vault.js';

const CYCLES = 1_000;
const OWNER = { environmentId: 'e' as EnvironmentId, userId: 'u' };
const REQUEST = { kind: 'message', message: Buffer.from('Gatehouse') } as const;

const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});
const exactly = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

describe('the life of keys', () => {
  it(`of ${CYCLES} wallets: what is made signs, leaves, comes back and signs the same, at the same address`, async () => {
    const signer = new LocalWalletSigner(new SeedVault(new Envelope(parseKeyRing(generateMasterKey()))));
    const recipientKey = await suite.kem.generateKeyPair();
    const publicKey = Buffer.from(await suite.kem.serializePublicKey(recipientKey.publicKey));
    let mismatches = 0;
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const chain = EMBEDDED_CHAINS[cycle % EMBEDDED_CHAINS.length]!;
      const place = { chain, index: cycle % 3 };
      const info = Buffer.from(`cycle ${cycle}`);
      const seed = { ...OWNER, keysId: `seed-${cycle}` };
      const { sealed, accounts } = await signer.createSeed(seed, [place]);
      const { address } = accounts[0]!;
      const made = { ...seed, kind: 'hd-entropy', sealed } as const;
      const first = await signer.sign(made, { ...place, address }, REQUEST);
      const bundle = await signer.export(made, { ...place, address }, { kem: 'X25519', publicKey, info });
      const opening = { recipientKey, enc: exactly(bundle.enc), info: exactly(info) };
      const aad = exactly(Buffer.from(address));
      const key = Buffer.from(await suite.open(opening, exactly(bundle.ciphertext), aad));

      const importOf = { ...OWNER, keysId: `import-${cycle}` };
      const receiver = await signer.createReceiver(importOf);
      const kem = cycle % 2 ? 'P256' : 'X25519';
      const offer = await sealTo({ kem, publicKey: receiver.publicKeys[kem], info }, key, Buffer.from(address));
      const keys = { ...OWNER, keysId: `keys-${cycle}` };
      const received = await signer.receive({ ...importOf, kind: 'import-key', sealed: receiver.sealed }, keys, {
        ...offer,
        chain,
        address,
        info,
      });
      const back = { ...keys, kind: 'private-key', sealed: received.sealed } as const;
      const second = await signer.sign(back, { chain, index: 0, address }, REQUEST);
      if (JSON.stringify(first) !== JSON.stringify(second) || received.publicKey !== accounts[0]!.publicKey)
        mismatches++;
    }
    expect(mismatches).toBe(0);
  }, 300_000);
});
