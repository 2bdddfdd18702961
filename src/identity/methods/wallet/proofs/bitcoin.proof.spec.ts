import { describe, expect, it } from '@jest/globals';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64, bech32m } from '@scure/base';
import { payments, script, Transaction } from 'bitcoinjs-lib';
import type { EnvironmentId } from '../../../../auth/index.js';
import { bip322MessageHash, toSpendId } from './bip322.js';
import { hash160, outputScript, parseBitcoinAddress } from './bitcoin-script.js';
import { BitcoinProof } from './bitcoin.proof.js';

const proof = new BitcoinProof();
const claim = (address: string, text: string, signature: string) =>
  proof.verify({ environmentId: 'e' as EnvironmentId, address, text, signature, networkId: null });
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The vectors of BIP-322. */
const SEGWIT = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l';
const TAPROOT = 'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3';
const KEY_PART = 'ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=';
const PUBLISHED: [address: string, text: string, signature: string][] = [
  [
    SEGWIT,
    '',
    `AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40${KEY_PART}`,
  ],
  [
    SEGWIT,
    'Hello World',
    `AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/s${KEY_PART}`,
  ],
  [
    TAPROOT,
    'Hello World',
    'AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ==',
  ],
];

const KEY = Buffer.from('0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d', 'hex');
const PUBLIC = secp256k1.getPublicKey(KEY, true);

/** Signs as wallets with another library do: the two transactions of BIP-322 built by it. */
function bip322(text: string, output: Uint8Array, sign: (to: Transaction) => Uint8Array[]): string {
  const spent = new Transaction();
  spent.version = 0;
  spent.addInput(new Uint8Array(32), 0xffffffff, 0, script.compile([0, bip322MessageHash(text)]));
  spent.addOutput(output, 0n);
  const to = new Transaction();
  to.version = 0;
  to.addInput(spent.getHash(), 0, 0);
  to.addOutput(Uint8Array.of(0x6a), 0n);
  const stack = sign(to);
  return base64.encode(
    Buffer.concat([Buffer.of(stack.length), ...stack.flatMap((part) => [Buffer.of(part.length), part])]),
  );
}

function signSegwit(
  text: string,
  hashType: number = Transaction.SIGHASH_ALL,
  { output: own, hash: program } = payments.p2wpkh({ pubkey: PUBLIC }),
  output = own,
): string {
  return bip322(text, output!, (to) => {
    const code = payments.p2pkh({ hash: program }).output!;
    const hash = to.hashForWitnessV0(0, code, 0n, hashType);
    const compact = secp256k1.sign(hash, KEY, { prehash: false });
    return [script.signature.encode(compact, hashType), PUBLIC];
  });
}

const OWN_TAPROOT = bech32m.encode('bc', [1, ...bech32m.toWords(schnorr.getPublicKey(KEY))]);

/** @param tail what stands behind the 64 bytes of the signature */
function signTaproot(text: string, ...tail: number[]): string {
  const output = Buffer.concat([Buffer.of(0x51, 0x20), schnorr.getPublicKey(KEY)]);
  return bip322(text, output, (to) => {
    const hash = to.hashForWitnessV1(0, [output], [0n], Transaction.SIGHASH_DEFAULT);
    return [Buffer.concat([schnorr.sign(hash, KEY), Buffer.from(tail)])];
  });
}

/** The same witness with an element more. */
function longer(witness: string): string {
  const [count, ...rest] = base64.decode(witness);
  return base64.encode(Buffer.from([count! + 1, ...rest, 1, 1]));
}

/** BIP-137 with any header. */
function signRecoverable(text: string, firstHeader: number): string {
  const prefix = Buffer.from('\x18Bitcoin Signed Message:\n');
  const hash = sha256(sha256(Buffer.concat([prefix, Buffer.of(text.length), Buffer.from(text)])));
  const signature = secp256k1.sign(hash, KEY, { prehash: false, format: 'recovered' });
  return base64.encode(Buffer.concat([Buffer.of(firstHeader + signature[0]!), signature.subarray(1)]));
}

describe('a wallet of Bitcoin', () => {
  it('hashes messages as BIP-322 has it', () => {
    expect(hexOf(bip322MessageHash(''))).toBe('c90c269c4f8fcbe6880f72a721ddfbf1914268a794cbb21cfafee13770ae19f1');
    const id = (text: string) =>
      hexOf(Buffer.from(toSpendId(text, outputScript(parseBitcoinAddress(SEGWIT)!))).reverse());
    expect(id('')).toBe('c5680aa69bb8d860bf82d4e9cd3504b55dde018de765a91bb566283c545a99a7');
    expect(id('Hello World')).toBe('b79d196740ad5217771c1098fc4a4b51e0535c32236c71f1ea4d61a2d603352b');
  });

  it.each(PUBLISHED)('proves itself by the published signature of %s over %p', async (address, text, signature) => {
    expect(await claim(address, text, signature)).toBe(true);
    expect(await claim(address, `${text}.`, signature)).toBe(false);
    for (const [other] of PUBLISHED) if (other !== address) expect(await claim(other, text, signature)).toBe(false);
  });

  it('proves itself by signatures that another library made', async () => {
    const { address } = payments.p2wpkh({ pubkey: PUBLIC });
    expect(await claim(address!, 'hällo', signSegwit('hällo'))).toBe(true);
    expect(await claim(OWN_TAPROOT, 'hello', signTaproot('hello'))).toBe(true);
  });

  it('proves itself by a witness of segwit in P2SH, and not by one for another form of address of its key', async () => {
    const inner = payments.p2wpkh({ pubkey: PUBLIC });
    const { address, output } = payments.p2sh({ redeem: inner });
    const nested = signSegwit('hello', Transaction.SIGHASH_ALL, inner, output);
    expect(await claim(address!, 'hello', nested)).toBe(true);
    const others = [
      await claim(address!, 'hallo', nested),
      await claim(address!, 'hello', signSegwit('hello')),
      await claim(inner.address!, 'hello', nested),
      await claim(payments.p2pkh({ pubkey: PUBLIC }).address!, 'hello', nested),
      await claim(payments.p2sh({ hash: inner.hash! }).address!, 'hello', nested),
    ];
    expect(others).toEqual([false, false, false, false, false]);
  });

  it('does not prove itself by a signature that leaves out outputs', async () => {
    const { address } = payments.p2wpkh({ pubkey: PUBLIC });
    expect(await claim(address!, 'hello', signSegwit('hello', Transaction.SIGHASH_NONE))).toBe(false);
    expect(await claim(address!, 'hello', signSegwit('hello', 0x81))).toBe(false);
  });

  it('does not prove itself by the key of somebody else, who signed all of it as it should be', async () => {
    const signature = signSegwit('hello', Transaction.SIGHASH_ALL, payments.p2wpkh({ address: SEGWIT }));
    expect(await claim(SEGWIT, 'hello', signature)).toBe(false);
  });

  it('does not prove itself by what no network would take, though its key has signed', async () => {
    const { address } = payments.p2wpkh({ pubkey: PUBLIC });
    const ofUncompressed = payments.p2wpkh({ hash: hash160(secp256k1.getPublicKey(KEY, false)) });
    const outcomes = [
      await claim(address!, 'hello', longer(signSegwit('hello'))),
      await claim(OWN_TAPROOT, 'hello', longer(signTaproot('hello'))),
      // BIP-341: the type of the default is not written down.
      await claim(OWN_TAPROOT, 'hello', signTaproot('hello', Transaction.SIGHASH_DEFAULT)),
      await claim(address!, 'hello', signRecoverable('hello', 43)),
      await claim(ofUncompressed.address!, 'hello', signRecoverable('hello', 27)),
    ];
    expect(outcomes).toEqual([false, false, false, false, false]);
  });

  const wrapped = payments.p2sh({ redeem: payments.p2wpkh({ pubkey: PUBLIC }) }).address!;
  const plain = payments.p2pkh({ pubkey: PUBLIC }).address!;
  const segwit = payments.p2wpkh({ pubkey: PUBLIC }).address!;
  it.each([
    ['P2PKH', plain, 31],
    ['P2SH-P2WPKH', wrapped, 35],
    ['P2SH-P2WPKH of Electrum', wrapped, 31],
    ['P2WPKH', segwit, 39],
    ['P2WPKH of Electrum', segwit, 31],
    ['an uncompressed key', payments.p2pkh({ pubkey: secp256k1.getPublicKey(KEY, false) }).address!, 27],
  ])('proves itself by the older form: %s', async (_, address, header) => {
    expect(await claim(address, 'hello', signRecoverable('hello', header))).toBe(true);
    expect(await claim(address, 'hallo', signRecoverable('hello', header))).toBe(false);
    expect(await claim(SEGWIT, 'hello', signRecoverable('hello', header))).toBe(false);
    expect(await claim(TAPROOT, 'hello', signRecoverable('hello', header))).toBe(false);
  });

  it.each([
    '',
    'AA==',
    'no base64',
    'A'.repeat(4_000),
    base64.encode(new Uint8Array(65).fill(31)),
    base64.encode(new Uint8Array(65)),
  ])('does not prove itself by %.20p', async (signature) => {
    for (const address of [plain, wrapped, segwit, TAPROOT])
      expect(await claim(address, 'hello', signature)).toBe(false);
  });

  it('has an address of the main network, with its checksum', () => {
    for (const address of [plain, wrapped, segwit, TAPROOT]) expect(proof.addressOf(address)).toBe(address);
    expect(proof.addressOf(segwit.toUpperCase())).toBe(segwit);
    const wrong = [
      '',
      plain.replace(/.$/, (last) => (last === '1' ? '2' : '1')),
      segwit.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q')),
    ];
    for (const text of [
      ...wrong,
      'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
      `${segwit[0]!.toUpperCase()}${segwit.slice(1)}`,
    ])
      expect(proof.addressOf(text)).toBeNull();
  });
});
