import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { entropyToMnemonic as scureMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { payments } from 'bitcoinjs-lib';
import { mnemonicToAccount } from 'viem/accounts';
import { SecretBytes } from '../../vault/index.js';
import { deriveAccount, derivePrivateKey } from './derive-account.js';
import { EMBEDDED_CHAINS } from '../embedded-chain.js';
import { entropyToSeed, generateHdEntropy, mnemonicToSeed } from './hd-seed.js';

const ABANDON = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

function seedOf(mnemonic: string): Promise<SecretBytes> {
  return mnemonicToSeed(SecretBytes.from(Buffer.from(mnemonic)));
}

describe('published accounts', () => {
  it.each([
    ['EVM', 0, ABANDON, '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
    [
      'EVM',
      0,
      'test test test test test test test test test test test junk',
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    ],
    [
      'EVM',
      1,
      'test test test test test test test test test test test junk',
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    ],
    ['SOL', 0, ABANDON, 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'],
    ['SOL', 1, ABANDON, 'Hh8QwFUA6MtVu1qAoq12ucvFHNwCcVTV7hpWjeY1Hztb'],
    // Test cases that the Sui SDKs share.
    [
      'SUI',
      0,
      'film crazy soon outside stand loop subway crumble thrive popular green nuclear struggle pistol arm wife phrase warfare march wheat nephew ask sunny firm',
      '0xa2d14fad60c56049ecf75246a481934691214ce413e6a8ae2fe6834c173a6133',
    ],
    [
      'SUI',
      0,
      'require decline left thought grid priority false tiny gasp angle royal system attack beef setup reward aunt skill wasp tray vital bounce inflict level',
      '0x1ada6e6f3f3e4055096f606c746690f1108fcc2ca479055cc434a3e1d3f758aa',
    ],
    [
      'SUI',
      0,
      'organ crash swim stick traffic remember army arctic mesh slice swear summer police vast chaos cradle squirrel hood useless evidence pet hub soap lake',
      '0xe69e896ca10f5a77732769803cc2b5707f0ab9d4407afb5e4b4464b89769af14',
    ],
    // BIP-84, "Test vectors".
    ['BTC', 0, ABANDON, 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    ['BTC', 1, ABANDON, 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'],
  ] as const)('%s account %i of "%s" is %s', async (chain, index, mnemonic, address) => {
    expect(deriveAccount(await seedOf(mnemonic), chain, index).address).toBe(address);
  });

  it.each([
    [
      0,
      '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
      'KyZpNDKnfs94vbrwhJneDi77V6jF64PWPF8x5cdJb8ifgg2DUc9d',
    ],
    [
      1,
      '03e775fd51f0dfb8cd865d9ff1cca2a158cf651fe997fdc9fee9c1d3b5e995ea77',
      'Kxpf5b8p3qX56DKEe5NqWbNUP9MnqoRFzZwHRtsFqhzuvUJsYZCy',
    ],
  ])('BTC account %i has the keys printed in BIP-84', async (index, publicKey, wif) => {
    const seed = await seedOf(ABANDON);
    const decoded = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest()).decode(wif);

    expect(deriveAccount(seed, 'BTC', index).publicKey).toBe(publicKey);
    // Wallet import format: version byte, key, and a byte 01 for "compressed".
    expect(derivePrivateKey(seed, 'BTC', index).expose().equals(decoded.subarray(1, 33))).toBe(true);
  });
});

describe('random accounts, against independent libraries', () => {
  const cases = Array.from({ length: 12 }, (_, index) => ({ entropy: generateHdEntropy(), index }));

  it.each(cases)('agree on all chains at account $index', async ({ entropy, index }) => {
    const seed = await entropyToSeed(entropy);
    const mnemonic = scureMnemonic(entropy.expose(), wordlist);
    const root = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic));

    const evm = deriveAccount(seed, 'EVM', index);
    const expectedEvm = mnemonicToAccount(mnemonic, { addressIndex: index });
    expect(evm.address).toBe(expectedEvm.address);
    expect(`0x${evm.publicKey}`).toBe(hex(root.derive(evm.path).publicKey));
    expect(hex(derivePrivateKey(seed, 'EVM', index).expose())).toBe(hex(expectedEvm.getHdKey().privateKey));

    const sui = deriveAccount(seed, 'SUI', index);
    const expectedSui = Ed25519Keypair.deriveKeypair(mnemonic, sui.path);
    expect(sui.address).toBe(expectedSui.toSuiAddress());
    expect(`0x${sui.publicKey}`).toBe(hex(expectedSui.getPublicKey().toRawBytes()));

    const sol = deriveAccount(seed, 'SOL', index);
    const solKey = derivePrivateKey(seed, 'SOL', index);
    expect(sol.address).toBe((await createKeyPairSignerFromPrivateKeyBytes(solKey.expose())).address);
    expect(sol.publicKey).toHaveLength(64);

    const btc = deriveAccount(seed, 'BTC', index);
    const expectedBtc = root.derive(btc.path);
    expect(btc.address).toBe(payments.p2wpkh({ pubkey: expectedBtc.publicKey ?? undefined }).address);
    expect(hex(derivePrivateKey(seed, 'BTC', index).expose())).toBe(hex(expectedBtc.privateKey));
  });
});

describe('deriveAccount', () => {
  it('leaves the seed usable and gives the same account again', async () => {
    const seed = await entropyToSeed(generateHdEntropy());

    for (const chain of EMBEDDED_CHAINS) {
      expect(deriveAccount(seed, chain, 3)).toEqual(deriveAccount(seed, chain, 3));
      expect(deriveAccount(seed, chain, 3).address).not.toBe(deriveAccount(seed, chain, 4).address);
    }
  });

  it('contains no private key', async () => {
    const seed = await entropyToSeed(generateHdEntropy());

    for (const chain of EMBEDDED_CHAINS) {
      const account = deriveAccount(seed, chain, 0);
      expect(Object.keys(account).sort()).toEqual(['address', 'path', 'publicKey']);
      expect(JSON.stringify(account)).not.toContain(derivePrivateKey(seed, chain, 0).expose().toString('hex'));
    }
  });

  it('refuses a wiped seed instead of deriving the account of zeros', () => {
    const seed = SecretBytes.random(64);
    seed.wipe();

    for (const chain of EMBEDDED_CHAINS) expect(() => deriveAccount(seed, chain, 0)).toThrow('wiped');
  });

  it('refuses an account index out of range', () => {
    for (const chain of EMBEDDED_CHAINS) {
      expect(() => deriveAccount(SecretBytes.random(64), chain, -1)).toThrow(RangeError);
      expect(() => derivePrivateKey(SecretBytes.random(64), chain, 2 ** 31)).toThrow(RangeError);
    }
  });

  it('gives 2 000 generated seeds 4 000 different addresses', async () => {
    const addresses = new Set<string>();
    for (let batch = 0; batch < 250; batch++) {
      const seeds = await Promise.all(Array.from({ length: 8 }, () => entropyToSeed(generateHdEntropy())));
      for (const seed of seeds) {
        addresses.add(deriveAccount(seed, 'EVM', 0).address);
        addresses.add(deriveAccount(seed, 'SOL', 0).address);
        seed.wipe();
      }
    }

    expect(addresses.size).toBe(4000);
  });
});

function hex(bytes: Uint8Array | null): string {
  return `0x${Buffer.from(bytes ?? []).toString('hex')}`;
}
