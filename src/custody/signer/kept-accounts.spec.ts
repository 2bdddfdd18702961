import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { EnvironmentId } from '../../auth/index.js';
import { Envelope, generateMasterKey, openOffer, parseKeyRing, receiverKeys, SecretBytes } from '../../vault/index.js';
import type { EmbeddedAccount } from '../held-account.js';
import { identifyKey } from '../derivation/derive-account.js';
import { generateHdEntropy } from '../derivation/hd-seed.js';
import { EMBEDDED_CHAINS } from '../embedded-chain.js';
import { readSeed, writeSeed } from './kept-seed.js';
import { LocalWalletSigner } from './local-wallet-signer.js';
import { SeedVault, usingSeed } from './seed-vault.js';
import type { KeyedAccount, SealedKeys } from './wallet-signer.js';

const NAMED = { environmentId: 'e' as EnvironmentId, userId: 'u', keysId: 'keys-1' };
const OWNER = { environmentId: 'e', userId: 'u', seedId: 'keys-1' };
const PLACES = EMBEDDED_CHAINS.map((chain) => ({ chain, index: 0 }));
const REQUEST = { kind: 'message', message: Buffer.from('hello') } as const;

const envelope = new Envelope(parseKeyRing(generateMasterKey()));
const vault = new SeedVault(envelope);
const signer = new LocalWalletSigner(vault);

/** Keys as they are made now, and the same as they were sealed at first: the entropy alone. */
async function bothForms(): Promise<{ now: SealedKeys; before: SealedKeys; accounts: EmbeddedAccount[] }> {
  const { sealed, accounts } = await signer.createSeed(NAMED, PLACES);
  const alone = await vault.withSecret(sealed, OWNER, (secret) => vault.seal(readSeed(secret)!.entropy, OWNER));
  const keys = { ...NAMED, kind: 'hd-entropy' } as const;
  return { now: { ...keys, sealed }, before: { ...keys, sealed: alone.sealed }, accounts };
}

describe('a seed that was sealed with the keys of its accounts', () => {
  it.each(EMBEDDED_CHAINS)(
    'signs on %s as the one whose entropy was sealed alone, which goes on signing',
    async (chain) => {
      const { now, before, accounts } = await bothForms();
      const account = accounts.find((one) => one.chain === chain)!;
      expect(await signer.sign(before, account, REQUEST)).toEqual(await signer.sign(now, account, REQUEST));
    },
  );

  it('is not derived from for a signature: the key that was sealed signs, whatever the seed would give', async () => {
    const key = randomBytes(32);
    const { address, publicKey } = identifyKey('EVM', key)!;
    const entropy = generateHdEntropy();
    const { sealed } = await usingSeed(entropy, (seed) =>
      vault.seal(writeSeed({ entropy, seed, accounts: [{ chain: 'EVM', index: 0, address, key }] }), OWNER),
    );
    const own = await vault.seal(SecretBytes.from(key), { ...OWNER, kind: 'private-key' });
    const account = { chain: 'EVM', index: 0, address } as const;
    const signed = await signer.sign({ ...NAMED, kind: 'hd-entropy', sealed }, account, REQUEST);
    expect(signed).toEqual(await signer.sign({ ...NAMED, kind: 'private-key', sealed: own.sealed }, account, REQUEST));
    expect((await signer.derive({ ...NAMED, kind: 'hd-entropy', sealed }, [account]))[0]!.publicKey).not.toBe(
      publicKey,
    );
  });

  it('gives accounts that came later, and signs for them', async () => {
    const { now, before, accounts } = await bothForms();
    const [later] = await signer.derive(now, [{ chain: 'EVM', index: 1 }]);
    expect(await signer.derive(before, [{ chain: 'EVM', index: 1 }])).toEqual([later]);
    expect(await signer.sign(now, later!, REQUEST)).toEqual(await signer.sign(before, later!, REQUEST));
    expect(await signer.derive(now, PLACES)).toEqual(accounts);
  });

  it('is the key of no other address, in either form', async () => {
    const { now, before, accounts } = await bothForms();
    const [evm, , , btc] = accounts;
    const others: KeyedAccount[] = [
      { ...evm!, address: (await bothForms()).accounts[0]!.address },
      { ...evm!, address: evm!.address.toLowerCase() },
      { ...evm!, index: 1 },
      { ...evm!, chain: 'BTC' },
      { ...btc!, chain: 'EVM' },
    ];
    for (const other of others) {
      for (const keys of [now, before]) await expect(signer.sign(keys, other, REQUEST)).rejects.toThrow();
    }
  });

  it('leaves for another installation as its entropy, in either form, and signs there', async () => {
    const { now, before, accounts } = await bothForms();
    const secret = randomBytes(32);
    const { X25519: publicKey } = await receiverKeys(secret);
    const info = Buffer.from('moving');
    const aad = Buffer.from('row');
    const there = { ...NAMED, environmentId: 'there' as EnvironmentId, kind: 'hd-entropy' } as const;
    for (const keys of [now, before]) {
      const bundle = await signer.release(keys, { kem: 'X25519', publicKey, info }, aad);
      expect(await openOffer(secret, bundle, { info, aad })).toHaveLength(32);
      const admitted = await signer.admit(there, { ...bundle, secret, info, aad });
      const arrived = { ...there, sealed: admitted!.sealed };
      expect(await signer.sign(arrived, accounts[0]!, REQUEST)).toEqual(await signer.sign(now, accounts[0]!, REQUEST));
    }
  });

  it('keeps nothing of what it opens, whether its use succeeds or fails', async () => {
    const { now } = await bothForms();
    const seen: Uint8Array[] = [];
    const uses = [
      () => undefined,
      () => {
        throw new Error('no such account');
      },
    ];
    for (const use of uses) {
      await vault
        .withSeed(now.sealed, OWNER, (seed, accounts) => {
          seen.push(seed.expose(), ...accounts.map(({ key }) => key));
          expect(seen.every((bytes) => bytes.length >= 32)).toBe(true);
          use();
        })
        .catch(() => undefined);
    }
    const entropy = generateHdEntropy();
    await usingSeed(entropy, async (seed) => void seen.push(seed.expose()));
    expect(seen).toHaveLength(2 * (1 + PLACES.length) + 1);
    for (const bytes of seen) expect(bytes.every((byte) => byte === 0)).toBe(true);
  });
});
