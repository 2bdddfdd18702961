import { randomBytes } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { newRecipient, sealFor } from './support/hpke-open.js';
import { HPKE_KEMS, kemOf, openOffer, receiverKeys, sealTo } from '../src/vault/hpke.js';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const INFO = Buffer.from('for this purpose');
const AAD = Buffer.from('0x123');

/** u-coordinates of X25519 with which everybody agrees on zeros (RFC 7748, section 6.1), in all their forms. */
const LOW_ORDER = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
];

describe('HPKE', () => {
  // RFC 9180, appendices A.1.1 and A.3.1: `ikmR` and `pkRm`.
  it.each([
    [
      'X25519',
      '6db9df30aa07dd42ee5e8181afdb977e538f5e1fec8a06223f33f7013e525037',
      '3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d',
    ],
    [
      'P256',
      '668b37171f1072f3cf12ea8a236a45df23fc13b82af3609ad1e354f6ef817550',
      '04fe8c19ce0905191ebc298a9245792531f26f0cece2460639e8bc39cb7f706a826a779b4cf969b8a0e539c7f62fb3d30ad6aa8f80e30f1d128aafd68a2ce72ea0',
    ],
  ] as const)('derives the key pair of %s that RFC 9180 has for its secret', async (kem, secret, publicKey) => {
    expect((await receiverKeys(hex(secret)))[kem].toString('hex')).toBe(publicKey);
  });

  it.each(HPKE_KEMS)(
    'by %s opens what the steps of the RFC, one by one, have sealed, and seals what they open',
    async (kem) => {
      for (let round = 0; round < 20; round++) {
        const plaintext = randomBytes(round);
        const recipient = newRecipient(kem);
        const { enc, ciphertext } = await sealTo({ kem, publicKey: recipient.publicKey, info: INFO }, plaintext, AAD);
        expect(recipient.open(enc, ciphertext, INFO, AAD)).toEqual(plaintext);
        const secret = randomBytes(32);
        const sealed = sealFor((await receiverKeys(secret))[kem], plaintext, INFO, AAD);
        expect(await openOffer(secret, sealed, { info: INFO, aad: AAD })).toEqual(plaintext);
      }
    },
  );

  it.each(HPKE_KEMS)('by %s leaves no copy of a secret where it has used one', async (kem) => {
    const [plaintext, secret] = [randomBytes(32), randomBytes(32)];
    const copies: { readonly of: Buffer; readonly bytes: Buffer }[] = [];
    const buffers = Object.getPrototypeOf(secret.buffer) as ArrayBuffer;
    const slice = buffers.slice;
    const spy = jest.spyOn(buffers, 'slice').mockImplementation(function (this: ArrayBuffer, ...range) {
      const copy = slice.apply(this, range);
      const of = [plaintext, secret].find((one) => one.equals(Buffer.from(copy)));
      if (of) copies.push({ of, bytes: Buffer.from(copy) });
      return copy;
    });
    try {
      const { [kem]: publicKey } = await receiverKeys(secret);
      const sealed = await sealTo({ kem, publicKey, info: INFO }, plaintext, AAD);
      expect(await openOffer(secret, sealed, { info: INFO, aad: AAD })).toEqual(plaintext);
    } finally {
      spy.mockRestore();
    }
    expect(new Set(copies.map(({ of }) => of))).toEqual(new Set([plaintext, secret]));
    for (const { bytes } of copies) expect(bytes.equals(Buffer.alloc(32))).toBe(true);
  });

  it.each(HPKE_KEMS)('by %s opens nothing that was changed, cut short or meant for something else', async (kem) => {
    const secret = randomBytes(32);
    const { enc, ciphertext } = sealFor((await receiverKeys(secret))[kem], Buffer.from('a key'), INFO, AAD);
    const open = (offer: { enc: Buffer; ciphertext: Buffer }, info = INFO, aad = AAD, of = secret) =>
      openOffer(of, offer, { info, aad });
    for (let at = 0; at < ciphertext.length; at++) {
      const damaged = Buffer.from(ciphertext);
      damaged[at]! ^= 0x80;
      expect(await open({ enc, ciphertext: damaged })).toBeNull();
      expect(await open({ enc, ciphertext: ciphertext.subarray(0, at) })).toBeNull();
    }
    expect(await open({ enc: enc.subarray(1), ciphertext })).toBeNull();
    expect(await open({ enc, ciphertext }, Buffer.from('for another'))).toBeNull();
    expect(await open({ enc, ciphertext }, INFO, Buffer.from('0x124'))).toBeNull();
    expect(await open({ enc, ciphertext }, INFO, AAD, randomBytes(32))).toBeNull();
    expect(await open({ enc, ciphertext })).toEqual(Buffer.from('a key'));
  });

  it.each(LOW_ORDER)(
    'seals nothing to %s, with whom everybody agrees on the same key, and opens nothing of it',
    async (point) => {
      for (const highBit of [0, 0x80]) {
        const publicKey = hex(point);
        publicKey[31]! |= highBit;
        expect(await kemOf(publicKey)).toBeNull();
        expect(
          await openOffer(randomBytes(32), { enc: publicKey, ciphertext: randomBytes(40) }, { info: INFO, aad: AAD }),
        ).toBeNull();
      }
    },
  );

  it('seals nothing to what is no point of P-256', async () => {
    const point = newRecipient('P256').publicKey;
    const offCurve = Buffer.from(point);
    offCurve[64]! ^= 1;
    const modulus = hex('ffffffff00000001000000000000000000000000ffffffffffffffffffffffff');
    const beyond = Buffer.concat([Buffer.of(4), modulus, point.subarray(33)]);
    const compressed = Buffer.concat([Buffer.of(2), point.subarray(1, 33)]);
    const hybrid = Buffer.concat([Buffer.of(6), point.subarray(1)]);
    const none = [
      offCurve,
      beyond,
      compressed,
      hybrid,
      Buffer.alloc(65),
      Buffer.of(0),
      point.subarray(0, 64),
      Buffer.alloc(0),
    ];
    for (const one of none) expect(await kemOf(one)).toBeNull();
    expect(await kemOf(point)).toBe('P256');
  });
});
