import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { EnvironmentId } from '../../auth/index.js';
import { Envelope, generateMasterKey, parseKeyRing, SealedBlobError } from '../../vault/index.js';
import { identifyKey } from '../derivation/derive-account.js';
import { EMBEDDED_CHAINS, type EmbeddedChain } from '../embedded-chain.js';
import { sealTo, type HpkeKem } from '../../vault/index.js';
import { isProven } from './key-proof.js';
import { LocalWalletSigner } from './local-wallet-signer.js';
import { SeedVault } from './seed-vault.js';
import type { OfferedKey } from './wallet-signer.js';

const OWNER = { environmentId: 'e' as EnvironmentId, userId: 'u' };
const IMPORT = { ...OWNER, keysId: 'import-1' };
const KEYS = { ...OWNER, keysId: 'keys-1' };
const INFO = Buffer.from('import/v1|e|u|EVM|import-1');
const ORDER = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex');

const signerOf = (ring: string) => new LocalWalletSigner(new SeedVault(new Envelope(parseKeyRing(ring))));

describe('the signer, of a key that is brought', () => {
  const ring = generateMasterKey();
  const signer = signerOf(ring);

  const offered = async (
    key: Buffer,
    { chain = 'EVM', kem = 'X25519', address }: { chain?: EmbeddedChain; kem?: HpkeKem; address?: string } = {},
  ) => {
    const { sealed, publicKeys } = await signer.createReceiver(IMPORT);
    const named = address ?? identifyKey(chain, key)?.address ?? 'none';
    const recipient = { kem, publicKey: publicKeys[kem], info: INFO };
    const offer: OfferedKey = {
      ...(await sealTo(recipient, key, Buffer.from(named))),
      chain,
      address: named,
      info: INFO,
    };
    return { receiver: { ...IMPORT, kind: 'import-key', sealed } as const, offer };
  };

  it.each(EMBEDDED_CHAINS.flatMap((chain) => (['P256', 'X25519'] as const).map((kem) => [chain, kem] as const)))(
    'on %s, sealed by %s: keeps it sealed, and shows by a signature that it is the one of the address',
    async (chain, kem) => {
      const key = randomBytes(32);
      const { receiver, offer } = await offered(key, { chain, kem });
      const received = await signer.receive(receiver, KEYS, offer);
      const account = { chain, address: offer.address, publicKey: received.publicKey };
      expect(isProven(account, INFO, received.proof)).toBe(true);
      expect(isProven(account, Buffer.from('another text'), received.proof)).toBe(false);
      const other = identifyKey(chain, randomBytes(32))!;
      expect(isProven({ chain, ...other }, INFO, received.proof)).toBe(false);
      expect(isProven({ ...account, address: other.address }, INFO, received.proof)).toBe(false);
      expect(received.sealed.includes(key)).toBe(false);
      // It signs as the key of that address, and of no other.
      const keys = { ...KEYS, kind: 'private-key', sealed: received.sealed } as const;
      const request = { kind: 'message', message: Buffer.from('hello') } as const;
      await expect(signer.sign(keys, { chain, index: 0, address: offer.address }, request)).resolves.toBeDefined();
      await expect(signer.sign(keys, { chain, index: 0, address: other.address }, request)).rejects.toThrow();
    },
  );

  it.each<[string, Buffer]>([
    ['zero', Buffer.alloc(32)],
    ['the order of the group', ORDER],
    ['more than that', Buffer.alloc(32, 0xff)],
    ['too short', randomBytes(31)],
    ['too long', randomBytes(33)],
  ])('refuses one that is %s', async (_, key) => {
    const { receiver, offer } = await offered(key, { address: '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23' });
    await expect(signer.receive(receiver, KEYS, offer)).rejects.toThrow('it is no private key of EVM');
  });

  it('refuses one of another address, and one that was sealed for something else', async () => {
    const { receiver, offer } = await offered(randomBytes(32), {
      address: identifyKey('EVM', randomBytes(32))!.address,
    });
    await expect(signer.receive(receiver, KEYS, offer)).rejects.toThrow('it is the key of another address');
    const right = await offered(randomBytes(32));
    const notSealed = 'it was not sealed for this import';
    const { receiver: its, offer: fits } = right;
    await expect(signer.receive(its, KEYS, { ...fits, info: Buffer.from('other') })).rejects.toThrow(notSealed);
    await expect(signer.receive(its, KEYS, { ...fits, address: '0x' })).rejects.toThrow(notSealed);
    await expect(signer.receive(its, KEYS, { ...fits, enc: randomBytes(32) })).rejects.toThrow(notSealed);
    await expect(signer.receive(its, KEYS, { ...fits, enc: randomBytes(40) })).rejects.toThrow(notSealed);
    await expect(signer.receive(receiver, KEYS, fits)).rejects.toThrow(notSealed);
  });

  it('never takes one kind of secret for another', async () => {
    const { receiver, offer } = await offered(randomBytes(32));
    const { sealed } = await signer.receive(receiver, KEYS, offer);
    const account = { chain: 'EVM', index: 0, address: offer.address } as const;
    const request = { kind: 'message', message: Buffer.from('hello') } as const;
    await expect(signer.sign({ ...KEYS, kind: 'hd-entropy', sealed }, account, request)).rejects.toThrow(
      SealedBlobError,
    );
    const asReceiver = { ...KEYS, kind: 'import-key', sealed } as const;
    await expect(signer.receive(asReceiver, KEYS, offer)).rejects.toThrow(SealedBlobError);
  });

  it('rewraps what it keeps under another master key', async () => {
    const { receiver, offer } = await offered(randomBytes(32));
    const rotated = signerOf(`${generateMasterKey()}\n${ring}`);
    const moved = await rotated.rewrap(receiver);
    const { sealed } = await rotated.receive({ ...receiver, sealed: moved!.sealed }, KEYS, offer);
    expect(moved!.masterKeyId).not.toBe(parseKeyRing(ring).currentKeyId);
    expect(await rotated.rewrap({ ...KEYS, kind: 'private-key', sealed })).toBeNull();
  });
});
