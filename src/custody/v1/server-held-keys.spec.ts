import { describe, expect, it, jest } from '@jest/globals';
import type { EnvironmentId } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import { Envelope, generateMasterKey, parseKeyRing, SecretBytes, SecretWipedError } from '../../vault/index.js';
import { CustodianRegistry } from '../custodian-registry.js';
import { identifyKey } from '../derivation/derive-account.js';
import { RandomSourceError } from '../derivation/entropy-self-test.js';
import { proveKey } from '../signer/key-proof.js';
import { LocalWalletSigner } from '../signer/local-wallet-signer.js';
import { SeedVault, type SealedEntropy, type SeedOwner } from '../signer/seed-vault.js';
import { KeyRefused } from '../signer/wallet-signer.js';
import type { NewKeys, SeedsRepository } from './seeds.repository.js';
import { ServerHeldKeys } from './server-held-keys.js';

const owner = { environmentId: 'e' as EnvironmentId, userId: 'u' };
const tx = {} as Transaction;

/** Remembers what it was given to seal. */
class WatchedVault extends SeedVault {
  readonly entropies: SecretBytes[] = [];

  override seal(entropy: SecretBytes, of: SeedOwner): Promise<SealedEntropy> {
    this.entropies.push(entropy);
    return super.seal(entropy, of);
  }
}

/** One user's row. */
class Row {
  seed: NewKeys | null = null;
  readonly offered: NewKeys[] = [];

  async findFirst(): Promise<NewKeys | null> {
    return this.seed;
  }

  async findSealed(_environmentId: string, _userId: string, id: string) {
    if (this.seed?.id !== id) return null;
    return { sealed: this.seed.sealedEntropy, kind: this.seed.kind };
  }

  async insertIfAbsent(_environmentId: string, seed: NewKeys): Promise<boolean> {
    this.offered.push(seed);
    if (this.seed) return false;
    this.seed = { ...seed, sealedEntropy: Buffer.from(seed.sealedEntropy) };
    return true;
  }
}

function custodian() {
  const vault = new WatchedVault(new Envelope(parseKeyRing(generateMasterKey())));
  const row = new Row();
  const signer = new LocalWalletSigner(vault);
  return {
    vault,
    row,
    signer,
    keys: new ServerHeldKeys(row as unknown as SeedsRepository, signer, new CustodianRegistry()),
  };
}

describe('keys held by the service', () => {
  it('are offered with the random source of the system, and not with one that was stubbed', () => {
    const { keys } = custodian();
    const stub = jest
      .spyOn(SecretBytes, 'random')
      .mockImplementation((length) => SecretBytes.from(Buffer.alloc(length, 7)));
    try {
      expect(() => keys.onModuleInit()).toThrow(RandomSourceError);
    } finally {
      stub.mockRestore();
    }
    expect(() => keys.onModuleInit()).not.toThrow();
  });

  it('come from entropy that is wiped before anything is stored', async () => {
    const { vault, keys } = custodian();
    await keys.prepare(owner, ['EVM']);
    expect(vault.entropies).toHaveLength(1);
    expect(() => vault.entropies[0]!.expose()).toThrow(SecretWipedError);
  });

  it('are wiped as well when they cannot be sealed', async () => {
    const { vault, keys } = custodian();
    const refused = new Error('the vault is shut');
    const seal = vault.seal.bind(vault);
    vault.seal = async (entropy, of) => {
      await seal(entropy, of);
      throw refused;
    };
    await expect(keys.prepare(owner, ['EVM'])).rejects.toBe(refused);
    expect(() => vault.entropies[0]!.expose()).toThrow(SecretWipedError);
  });

  it('are not made for a user who has some', async () => {
    const { vault, keys } = custodian();
    const first = await keys.prepare(owner, ['EVM']);
    expect(await first.store(tx)).toBe(true);
    const again = await keys.prepare(owner, ['EVM', 'SOL']);
    expect(again.keysId).toBe(first.keysId);
    expect(again.accounts[0]).toEqual(first.accounts[0]);
    expect(vault.entropies).toHaveLength(1);
  });

  it('that came too late are zeroed, the sealed form included', async () => {
    const { row, keys } = custodian();
    const [first, late] = [await keys.prepare(owner, ['EVM']), await keys.prepare(owner, ['EVM'])];
    expect(await first.store(tx)).toBe(true);
    expect(await late.store(tx)).toBe(false);
    const { sealedEntropy } = row.offered[1]!;
    expect(sealedEntropy.every((byte) => byte === 0)).toBe(false);
    late.discard();
    expect(sealedEntropy.every((byte) => byte === 0)).toBe(true);
    expect((await keys.prepare(owner, ['EVM'])).keysId).toBe(first.keysId);
  });

  it('are brought only when they sign for their address, whatever the signer says of them', async () => {
    const { signer, keys } = custodian();
    const [own, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const info = Buffer.from('this import');
    const { address, publicKey } = identifyKey('EVM', own)!;
    const offer = { ...({ chain: 'EVM', address, info } as const), enc: info, ciphertext: info };
    const bring = (proof: Buffer, of = publicKey) => {
      signer.receive = () => Promise.resolve({ sealed: Buffer.alloc(1), masterKeyId: 'm', publicKey: of, proof });
      return keys.import(owner, { importId: 'i', sessionId: 's', sealed: Buffer.alloc(1) }, offer);
    };
    const foreign = proveKey('EVM', other, info);
    await expect(bring(foreign)).rejects.toThrow(KeyRefused);
    await expect(bring(foreign, identifyKey('EVM', other)!.publicKey)).rejects.toThrow(KeyRefused);
    await expect(bring(proveKey('EVM', own, Buffer.from('another import')))).rejects.toThrow(KeyRefused);
    expect((await bring(proveKey('EVM', own, info))).account).toEqual({ chain: 'EVM', address, publicKey });
  });
});
