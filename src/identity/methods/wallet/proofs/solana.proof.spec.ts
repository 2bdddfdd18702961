import { describe, expect, it } from '@jest/globals';
import { base58, base64, hex } from '@scure/base';
import { createKeyPairSignerFromPrivateKeyBytes, createSignableMessage } from '@solana/kit';
import { randomBytes } from 'node:crypto';
import type { EnvironmentId } from '../../../../auth/index.js';
import { SolanaProof } from './solana.proof.js';

const proof = new SolanaProof();
const claim = (address: string, text: string, signature: string) =>
  proof.verify({ environmentId: 'e' as EnvironmentId, address, text, signature, networkId: null });

async function signed(text: string): Promise<{ address: string; bytes: Uint8Array }> {
  const signer = await createKeyPairSignerFromPrivateKeyBytes(randomBytes(32));
  const [signatures] = await signer.signMessages([createSignableMessage(text)]);
  return { address: signer.address, bytes: Uint8Array.from(signatures![signer.address]!) };
}

describe('a wallet of Solana', () => {
  it.each([
    ['base64', base64],
    ['base58', base58],
    ['hex', hex],
  ])('proves itself by a signature in %s', async (_, coder) => {
    const { address, bytes } = await signed('hällo');
    expect(await claim(address, 'hällo', coder.encode(bytes))).toBe(true);
    expect(await claim(address, 'hällo ', coder.encode(bytes))).toBe(false);
    expect(await claim((await signed('')).address, 'hällo', coder.encode(bytes))).toBe(false);
  });

  it.each(['', 'AAAA', 'not base64!', 'A'.repeat(100_000), hex.encode(new Uint8Array(63))])(
    'does not prove itself by %.20p',
    async (signature) => {
      expect(await claim((await signed('')).address, 'a', signature)).toBe(false);
    },
  );

  it.each([
    ['the point of order 4', new Uint8Array(32)],
    ['the neutral element', Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 1 : 0))],
  ])('is not one whose key is %s, with which a signature fits any text', async (_, key) => {
    const neutral = new Uint8Array(64);
    neutral[0] = 1;
    for (let n = 0; n < 16; n += 1) {
      expect(await claim(base58.encode(key), `text ${n}`, base64.encode(neutral))).toBe(false);
    }
  });

  it('has an address of 32 bytes in base58', async () => {
    const { address } = await signed('');
    expect(proof.addressOf(address)).toBe(address);
    for (const text of ['', address + address, address.slice(4), address.replace(/.$/, '0'), `0x${'a'.repeat(40)}`])
      expect(proof.addressOf(text)).toBeNull();
  });
});
