import { describe, expect, it } from '@jest/globals';
import { bytesToHex, concat, hashMessage, hexToBytes, numberToHex, recoverAddress, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { recoveredAddress } from './recovered-address.js';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const word = (value: bigint): Hex => numberToHex(value, { size: 32 });
const digest = hashMessage('hello', 'bytes');
const account = privateKeyToAccount(generatePrivateKey());
const signed = (): Promise<Hex> => account.signMessage({ message: 'hello' });

/** What the library of the wallets themselves says; null where it finds nothing. */
const others = (signature: Hex): Promise<string | null> =>
  recoverAddress({ hash: bytesToHex(digest), signature }).catch(() => null);

describe('the key of a signature', () => {
  it('is the one that signed, of a hundred keys', async () => {
    for (let n = 0; n < 100; n += 1) {
      const { address, signMessage } = privateKeyToAccount(generatePrivateKey());
      const signature = hexToBytes(await signMessage({ message: `hello ${n}` }));
      expect(recoveredAddress(hashMessage(`hello ${n}`, 'bytes'), signature)).toBe(address);
      expect(recoveredAddress(digest, signature)).not.toBe(address);
    }
  });

  it('is found or not as by another library, whatever the numbers are', async () => {
    const signature = await signed();
    const [r, s, end] = [
      BigInt(signature.slice(0, 66)),
      BigInt(`0x${signature.slice(66, 130)}`),
      Number(`0x${signature.slice(130)}`),
    ];
    const of = (first: bigint, second: bigint, last: number): Hex =>
      concat([word(first), word(second), numberToHex(last, { size: 1 })]);
    const forms = [
      ...[0, 1, 2, 3, 26, 27, 28, 29, 255].map((last) => of(r, s, last)),
      ...[0n, 1n, ORDER - s, ORDER - 1n, ORDER, ORDER + 1n, 2n ** 256n - 1n].map((other) => of(r, other, end)),
      ...[0n, 1n, 5n, ORDER - 1n, ORDER, 2n ** 256n - 1n].map((other) => of(other, s, end)),
    ];
    const found = forms.map((form) => recoveredAddress(digest, hexToBytes(form)));
    expect(found).toEqual(await Promise.all(forms.map(others)));
    expect(found.filter((address) => address === account.address).length).toBeGreaterThanOrEqual(2);
    expect(found).toContain(null);
  });

  it('is not found in bytes of another length', async () => {
    const signature = hexToBytes(await signed());
    for (const length of [0, 1, 64, 66, 1_000]) {
      const other = new Uint8Array(length);
      other.set(signature.subarray(0, length));
      expect(recoveredAddress(digest, other)).toBeNull();
    }
  });
});
