import { describe, expect, it } from '@jest/globals';
import { ed25519Verify } from '../derivation/ed25519-key.js';
import {
  commitNonces,
  completeSignature,
  hexOf,
  publicKeyOf,
  shownShares,
  type PublicShares,
  type SecretShare,
} from './frost.js';
import { identifierOf as identifierOn, suiteOf } from './suites.js';
import type { SigningShares } from './wire.js';

const { frost } = suiteOf('ed25519');
const identifierOf = (party: number): string => identifierOn('ed25519', party);

/** RFC 9591, appendix E.1: FROST(Ed25519, SHA-512). */
const RFC = {
  secret: '7b1c33d3f5291d85de664833beb1ad469f7fb6025a0ec78b3a790c6e13a98304',
  publicKey: '15d21ccd7ee42959562fc8aa63224c8851fb3ec85a3faf66040d380fb9738673',
  coefficient: '178199860edd8c62f5212ee91eff1295d0d670ab4ed4506866bae57e7030b204',
  message: Buffer.from('test'),
  p1: {
    share: '929dcc590407aae7d388761cddb0c0db6f5627aea8e217f4a033f2ec83d93509',
    randomness: [
      '0fd2e39e111cdc266f6c0f4d0fd45c947761f1f5d3cb583dfcb9bbaf8d4c9fec',
      '69cd85f631d5f7f2721ed5e40519b1366f340a87c2f6856363dbdcda348a7501',
    ],
    nonces: {
      hiding: '812d6104142944d5a55924de6d49940956206909f2acaeedecda2b726e630407',
      binding: 'b1110165fc2334149750b28dd813a39244f315cff14d4e89e6142f262ed83301',
    },
    commitments: {
      hiding: 'b5aa8ab305882a6fc69cbee9327e5a45e54c08af61ae77cb8207be3d2ce13de3',
      binding: '67e98ab55aa310c3120418e5050c9cf76cf387cb20ac9e4b6fdb6f82a469f932',
    },
    signatureShare: '001719ab5a53ee1a12095cd088fd149702c0720ce5fd2f29dbecf24b7281b603',
  },
  p3: {
    share: 'd3cb090a075eb154e82fdb4b3cb507f110040905468bb9c46da8bdea643a9a02',
    randomness: [
      '86d64a260059e495d0fb4fcc17ea3da7452391baa494d4b00321098ed2a0062f',
      '13e6b25afb2eba51716a9a7d44130c0dbae0004a9ef8d7b5550c8a0e07c61775',
    ],
    nonces: {
      hiding: 'c256de65476204095ebdc01bd11dc10e57b36bc96284595b8215222374f99c0e',
      binding: '243d71944d929063bc51205714ae3c2218bd3451d0214dfb5aeec2a90c35180d',
    },
    commitments: {
      hiding: 'cfbdb165bd8aad6eb79deb8d287bcc0ab6658ae57fdcc98ed12c0669e90aec91',
      binding: '7487bc41a6e712eea2f2af24681b58b1cf1da278ea11fe4e8b78398965f13552',
    },
    signatureShare: 'bd86125de990acc5e1f13781d8e32c03a9bbd4c53539bbc106058bfd14326007',
  },
  signature:
    '36282629c383bb820a88b71cae937d41f2f2adfcc3d02e55507e2fb9e2dd3cbebd9d2b0844e49ae0f3fa935161e1419aab7b47d21a37ebeae1f17d4987b3160b',
};

const hex = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'hex'));

function rfcShares(): PublicShares {
  const { Fn } = frost.utils;
  const { coefficients } = frost.utils.generateSecretPolynomial({ min: 2, max: 3 }, hex(RFC.secret), [
    Fn.fromBytes(hex(RFC.coefficient)),
  ]);
  const point = (id: number): string => {
    const share = Fn.add(coefficients[0]!, Fn.mul(coefficients[1]!, BigInt(id)));
    return hexOf(
      frost.utils.generateSecretPolynomial({ min: 2, max: 3 }, Fn.toBytes(share), [1n]).commitment[0] as never,
    );
  };
  return { min: 2, max: 3, commitments: [RFC.publicKey, point(0)], verifyingShares: [1, 2, 3].map(point) };
}

/** Shares of a key that is dealt for the test. */
function dealt(min: number, max: number) {
  const { public: shown, secretShares } = frost.trustedDealer({ min, max });
  const secrets = Array.from({ length: max }, (_, at): SecretShare => {
    const { signingShare } = secretShares[identifierOf(at + 1)]!;
    return { id: at + 1, share: hexOf(signingShare) };
  });
  return { shares: shownShares('ed25519', shown), secrets };
}

/** What some participants send, by the library alone. */
function sentBy(
  { shares, secrets }: ReturnType<typeof dealt>,
  ids: readonly number[],
  theirs: ReturnType<typeof commitNonces>['commitments'],
  message: Uint8Array,
): SigningShares {
  const mine = secrets.filter(({ id }) => ids.includes(id));
  const { nonces, commitments } = commitNonces('ed25519', mine);
  // Whoever completes needs shares of others: here each completes with the rest as if it were the last.
  const all = [...commitments, ...theirs].map(({ id, hiding, binding }) => ({
    identifier: identifierOf(id),
    hiding: hex(hiding),
    binding: hex(binding),
  }));
  const group = {
    signers: { min: shares.min, max: shares.max },
    commitments: shares.commitments.map(hex),
    verifyingShares: Object.fromEntries(shares.verifyingShares.map((one, at) => [identifierOf(at + 1), hex(one)])),
  };
  return {
    commitments,
    shares: mine.map(({ id, share }) => {
      const { hiding, binding } = nonces.find((one) => one.id === id)!;
      const fresh = { hiding: hex(hiding), binding: hex(binding) };
      const secret = { identifier: identifierOf(id), signingShare: hex(share) };
      return { id, share: hexOf(frost.signShare(secret, group, fresh, all, message)) };
    }),
  };
}

/** The service holds the participants `own`, the user sends for `theirs`. */
function signTogether(key: ReturnType<typeof dealt>, theirs: readonly number[], own: readonly number[], text: string) {
  const message = Buffer.from(text);
  const secrets = key.secrets.filter(({ id }) => own.includes(id));
  const nonces = commitNonces('ed25519', secrets);
  const sent = sentBy(key, theirs, nonces.commitments, message);
  return { side: { shares: key.shares, secrets, ...nonces }, sent, message };
}

describe('FROST', () => {
  it('gives the nonces and commitments of RFC 9591', () => {
    for (const [id, { share, randomness, nonces, commitments }] of [
      [1, RFC.p1],
      [3, RFC.p3],
    ] as const) {
      const random = [...randomness];
      const secret = { identifier: identifierOf(id), signingShare: hex(share) };
      const made = frost.commit(secret, () => hex(random.shift()!));
      expect([hexOf(made.nonces.hiding), hexOf(made.nonces.binding)]).toEqual([nonces.hiding, nonces.binding]);
      const { hiding, binding } = made.commitments;
      expect([hexOf(hiding), hexOf(binding)]).toEqual([commitments.hiding, commitments.binding]);
    }
  });

  it('gives the shares and the signature of RFC 9591, byte for byte', () => {
    const { p1, p3, message } = RFC;
    const shares = rfcShares();
    const side = {
      shares,
      secrets: [{ id: 3, share: p3.share }],
      nonces: [{ id: 3, ...p3.nonces }],
      commitments: [{ id: 3, ...p3.commitments }],
    };
    const sent = { commitments: [{ id: 1, ...p1.commitments }], shares: [{ id: 1, share: p1.signatureShare }] };
    const { shares: own, signature } = completeSignature(side, sent, message);
    expect(own).toEqual([{ id: 3, share: p3.signatureShare }]);
    expect(signature.toString('hex')).toBe(RFC.signature);
    expect(ed25519Verify(message, publicKeyOf(shares), signature)).toBe(true);
  });

  it.each([
    [2, 2, [1], [2]],
    [2, 3, [1], [3]],
    [2, 3, [2], [3]],
    [2, 3, [1, 2], [3]],
    [3, 5, [1], [4, 5]],
    [3, 5, [3], [4, 5]],
    [3, 5, [1, 2, 3], [4, 5]],
  ])('signs with %i of %i by participants %j and %j, as OpenSSL verifies', (min, max, theirs, own) => {
    const key = dealt(min, max);
    const { side, sent, message } = signTogether(key, theirs, own, 'I agree.');
    const { signature } = completeSignature(side, sent, message);
    expect(ed25519Verify(message, publicKeyOf(key.shares), signature)).toBe(true);
    expect(ed25519Verify(Buffer.from('I do not.'), publicKeyOf(key.shares), signature)).toBe(false);
  });

  it('signs nothing with fewer than it takes', () => {
    const key = dealt(3, 5);
    const { side, sent, message } = signTogether(key, [1], [4, 5], 'I agree.');
    const alone = { ...side, secrets: [side.secrets[0]!], commitments: [side.commitments[0]!] };
    expect(() => completeSignature(alone, sent, message)).toThrow('enough of them do');
    const secrets = key.secrets
      .slice(0, 2)
      .map(({ id, share }) => ({ identifier: identifierOf(id), signingShare: hex(share) }));
    expect(() => frost.combineSecret(secrets, { min: 3, max: 5 })).toThrow();
  });

  it('names the participant whose share is not right', () => {
    const key = dealt(3, 5);
    const { side, sent, message } = signTogether(key, [1, 2], [4, 5], 'I agree.');
    const shares = [sent.shares[0]!, { id: 2, share: sent.shares[0]!.share }];
    const caught = (() => {
      try {
        return completeSignature(side, { ...sent, shares }, message);
      } catch (error) {
        return error;
      }
    })();
    expect(caught).toMatchObject({ name: 'CeremonyFault', party: 2 });
  });

  it('takes no share of another key, message or ceremony', () => {
    const key = dealt(2, 2);
    const one = signTogether(key, [1], [2], 'I agree.');
    const other = signTogether(key, [1], [2], 'I agree.');
    const stranger = signTogether(dealt(2, 2), [1], [2], 'I agree.');
    for (const [sent, message] of [
      [one.sent, Buffer.from('I agree!')],
      [{ commitments: one.sent.commitments, shares: other.sent.shares }, one.message],
      [stranger.sent, one.message],
    ] as const) {
      expect(() => completeSignature(one.side, sent, message)).toThrow('participant 1');
    }
  });
});
