import { describe, expect, it } from '@jest/globals';
import { ed25519 } from '@noble/curves/ed25519.js';
import { ed25519Scalar } from '../derivation/ed25519-scalar.js';
import { dealShares } from './dealing.js';
import { bytesOf, commitNonces, completeSignature, hexOf, publicKeyOf, type SecretShare } from './frost.js';
import { SHARE_SCHEMES, type ShareScheme } from './schemes.js';
import { identifierOf, suiteOf } from './suites.js';

const CURVE = 'ed25519';
const { frost } = suiteOf(CURVE);

const MESSAGE = Buffer.from('I agree.');
const SIZES = { TWO_OF_TWO: [1, 1], TWO_OF_THREE: [2, 1], THREE_OF_FIVE: [3, 2] } satisfies Record<
  ShareScheme,
  number[]
>;

describe('a key that the service deals', () => {
  it.each(SHARE_SCHEMES)('by %s gives each side its shares, none of them twice', (scheme) => {
    const { clients, own, public: shown } = dealShares(scheme);
    expect([clients.length, own.length]).toEqual(SIZES[scheme]);
    const all = [...clients, ...own];
    expect(all.map(({ id }) => id)).toEqual(shown.verifyingShares.map((_, at) => at + 1));
    expect(new Set(all.map(({ share }) => share)).size).toBe(all.length);
  });

  it.each(SHARE_SCHEMES)('by %s has shares that lie on what was committed to', (scheme) => {
    const { clients, own, public: shown } = dealShares(scheme);
    for (const { id, share } of [...clients, ...own]) {
      const point = ed25519.Point.BASE.multiply(frost.utils.Fn.fromBytes(bytesOf(share)));
      expect(point.toHex()).toBe(shown.verifyingShares[id - 1]);
    }
  });

  it('signs with a share of each side, for the public key that it shows', () => {
    const { clients, own, public: shown } = dealShares('TWO_OF_TWO');
    const theirs = commitNonces(CURVE, clients);
    const ours = commitNonces(CURVE, own);
    const sent = signingSharesOf(clients[0]!);
    const { signature } = completeSignature({ shares: shown, secrets: own, ...ours }, sent, MESSAGE);
    expect(ed25519.verify(signature, MESSAGE, publicKeyOf(shown))).toBe(true);

    function signingSharesOf({ id, share }: SecretShare) {
      const commitments = [...theirs.commitments, ...ours.commitments];
      const [nonces] = theirs.nonces;
      const made = frost.signShare(
        { identifier: identifierOf(CURVE, id), signingShare: bytesOf(share) },
        {
          signers: { min: shown.min, max: shown.max },
          commitments: shown.commitments.map(bytesOf),
          verifyingShares: Object.fromEntries(
            shown.verifyingShares.map((one, at) => [identifierOf(CURVE, at + 1), bytesOf(one)]),
          ),
        },
        { hiding: bytesOf(nonces!.hiding), binding: bytesOf(nonces!.binding) },
        commitments.map((one) => ({
          identifier: identifierOf(CURVE, one.id),
          hiding: bytesOf(one.hiding),
          binding: bytesOf(one.binding),
        })),
        MESSAGE,
      );
      return { commitments: theirs.commitments, shares: [{ id, share: hexOf(made) }] };
    }
  });

  it('may be one that exists: the shares are of its public key', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    const { public: shown } = dealShares('TWO_OF_TWO', ed25519Scalar(seed));
    // RFC 8032, section 7.1, test 1.
    expect(publicKeyOf(shown).toString('hex')).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
  });

  it('is another one each time', () => {
    const keys = Array.from({ length: 50 }, () => publicKeyOf(dealShares('TWO_OF_TWO').public).toString('hex'));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
