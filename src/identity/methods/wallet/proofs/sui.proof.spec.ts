import { describe, expect, it } from '@jest/globals';
import type { Keypair } from '@mysten/sui/cryptography';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1';
import { Secp256r1Keypair } from '@mysten/sui/keypairs/secp256r1';
import { base64 } from '@scure/base';
import type { EnvironmentId } from '../../../../auth/index.js';
import { SuiProof } from './sui.proof.js';

const proof = new SuiProof();
const claim = (address: string, text: string, signature: string) =>
  proof.verify({ environmentId: 'e' as EnvironmentId, address, text, signature, networkId: null });
const sign = async (key: Keypair, text: string): Promise<string> =>
  (await key.signPersonalMessage(Buffer.from(text))).signature;

const KEYS: [string, () => Keypair][] = [
  ['Ed25519', () => new Ed25519Keypair()],
  ['secp256k1', () => new Secp256k1Keypair()],
  ['secp256r1', () => new Secp256r1Keypair()],
];

describe('a wallet of Sui', () => {
  it.each(KEYS)('with a key of %s proves itself by a personal message of the library of Sui', async (_, make) => {
    const key = make();
    for (const text of ['hällo', 'a'.repeat(127), 'a'.repeat(128), 'a'.repeat(4_000)]) {
      expect(await claim(key.toSuiAddress(), text, await sign(key, text))).toBe(true);
    }
    const signature = await sign(key, 'hällo');
    expect(await claim(key.toSuiAddress(), 'hallo', signature)).toBe(false);
    expect(await claim(make().toSuiAddress(), 'hällo', signature)).toBe(false);
  });

  it('does not prove itself by a transaction that it signed', async () => {
    const key = new Ed25519Keypair();
    const { signature } = await key.signTransaction(Buffer.from('hello'));
    expect(await claim(key.toSuiAddress(), 'hello', signature)).toBe(false);
  });

  it('does not prove itself by a changed signature', async () => {
    const key = new Ed25519Keypair();
    const bytes = base64.decode(await sign(key, 'hello'));
    for (const at of [0, 1, 40, 64, 65, 96]) {
      const changed = Uint8Array.from(bytes);
      changed[at]! ^= 1;
      expect(await claim(key.toSuiAddress(), 'hello', base64.encode(changed))).toBe(false);
    }
    for (const other of ['', 'AA==', base64.encode(bytes.subarray(1)), `${base64.encode(bytes)}=`])
      expect(await claim(key.toSuiAddress(), 'hello', other)).toBe(false);
  });

  it('of several keys or of a zkLogin is not checked, and so refused', async () => {
    for (const flag of [3, 5, 6, 255]) {
      const bytes = new Uint8Array(97).fill(1);
      bytes[0] = flag;
      expect(await claim(`0x${'0'.repeat(64)}`, 'hello', base64.encode(bytes))).toBe(false);
    }
  });

  it('has an address of 32 bytes in hex, kept in small letters', () => {
    expect(proof.addressOf(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`);
    for (const text of ['', '0x2', `0x${'a'.repeat(63)}`, 'a'.repeat(64)]) expect(proof.addressOf(text)).toBeNull();
  });
});
