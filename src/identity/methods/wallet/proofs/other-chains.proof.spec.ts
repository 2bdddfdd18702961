import { describe, expect, it } from '@jest/globals';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { EnvironmentId } from '../../../../auth/index.js';
import { newSigner, type ChainSigner, type OtherChain } from '../../../../../test/support/chain-signers.js';
import type { WalletProof } from '../wallet-proof.js';
import { AlgorandProof } from './algorand.proof.js';
import { addressOfKey as aptosAddressOf, AptosProof } from './aptos.proof.js';
import { addressOfKey as cosmosAddressOf, CosmosProof } from './cosmos.proof.js';
import { TronProof } from './tron.proof.js';

const PROOFS: Record<OtherChain, WalletProof> = {
  ALGO: new AlgorandProof(),
  APTOS: new AptosProof(),
  COSMOS: new CosmosProof(),
  TRON: new TronProof(),
};
const CHAINS = Object.keys(PROOFS) as OtherChain[];

const claim = (chain: OtherChain, address: string, text: string, signature: string) =>
  PROOFS[chain].verify({ environmentId: 'e' as EnvironmentId, address, text, signature, networkId: null });

/** One bit of the last byte turned round. */
function damaged({ encode, decode }: ChainSigner, signature: string): string {
  const bytes = decode(signature);
  bytes[bytes.length - 2]! ^= 1;
  return encode(bytes);
}

describe.each(CHAINS)('a wallet of %s', (chain) => {
  it('proves itself by its own signature over this text alone', async () => {
    const [own, other] = [newSigner(chain), newSigner(chain)];
    const signature = own.sign('hällo\nworld');
    expect(PROOFS[chain].addressOf(own.address)).toBe(own.address);
    expect(await claim(chain, own.address, 'hällo\nworld', signature)).toBe(true);
    expect(await claim(chain, own.address, 'hällo\nworld ', signature)).toBe(false);
    expect(await claim(chain, other.address, 'hällo\nworld', signature)).toBe(false);
    expect(await claim(chain, own.address, 'hällo\nworld', other.sign('hällo\nworld'))).toBe(false);
    expect(await claim(chain, own.address, 'hällo\nworld', damaged(own, signature))).toBe(false);
  });

  it('is not proven by what signs something else than a message', async () => {
    const own = newSigner(chain);
    expect(await claim(chain, own.address, 'text', own.signRaw(Buffer.from('text')))).toBe(false);
  });

  it.each(['', 'AAAA', 'not base64!', '0x', 'A'.repeat(100_000), '00'.repeat(65), 'A'.repeat(86) + '=='])(
    'does not prove itself by %.20p',
    async (signature) => {
      expect(await claim(chain, newSigner(chain).address, 'a', signature)).toBe(false);
    },
  );

  it('has an address with a checksum or of one length', () => {
    const { address } = newSigner(chain);
    const others = [
      `${address}${address}`,
      address.slice(1),
      address.slice(0, -1),
      `${address} `,
      '',
      '0x',
      'x'.repeat(58),
    ];
    for (const text of others) expect(PROOFS[chain].addressOf(text)).toBeNull();
  });
});

describe('addresses', () => {
  it('are those of published vectors', () => {
    const faucet = Buffer.from('A08EGB7ro1ORuFhjOnZcSgwYlpe0DSFjVNUIkNNQxwKQ', 'base64');
    expect(cosmosAddressOf(faucet, 'cosmos')).toBe('cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6');
    const key = Buffer.from('c5338cd251c22daa8c9c9cc94f498cc8a5c7e1d2e75287a5dda91096fe64efa5', 'hex');
    const address = '0x978c213990c4833df71548df7ce49d54c759d6b6d932de22b24d56060b7af2aa';
    expect(aptosAddressOf(ed25519.getPublicKey(key))).toBe(address);
    const tether = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
    expect(PROOFS.TRON.addressOf(tether)).toBe(tether);
    expect(PROOFS.TRON.addressOf(tether.replace('TR7N', 'TR7M'))).toBeNull();
    const zero = `${'A'.repeat(52)}Y5HFKQ`;
    expect(PROOFS.ALGO.addressOf(zero)).toBe(zero);
    expect(PROOFS.ALGO.addressOf(`${'A'.repeat(52)}Y5HFKA`)).toBeNull();
    expect(PROOFS.COSMOS.addressOf('cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs7')).toBeNull();
  });

  it('of small order sign nobody in', async () => {
    const zero = `${'A'.repeat(52)}Y5HFKQ`;
    const neutral = Buffer.alloc(64);
    neutral[0] = 1;
    expect(await claim('ALGO', zero, 'text', neutral.toString('base64'))).toBe(false);
    const key = Buffer.alloc(32);
    const signature = `0020${key.toString('hex')}40${neutral.toString('hex')}`;
    expect(await claim('APTOS', aptosAddressOf(key), 'text', signature)).toBe(false);
  });
});

describe('a signature of Cosmos', () => {
  it('with a high s is refused, though it fits', async () => {
    const own = newSigner('COSMOS');
    const bytes = own.decode(own.sign('text'));
    const { r, s } = secp256k1.Signature.fromBytes(bytes);
    const high = new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s).toBytes();
    expect(await claim('COSMOS', own.address, 'text', own.encode(high))).toBe(false);
  });
});
