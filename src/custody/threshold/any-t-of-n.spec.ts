import { describe, expect, it } from '@jest/globals';
import { partiesOf, SHARE_SCHEMES, signersOf } from './schemes.js';
import { identifierOf, suiteOf, type Curve } from './suites.js';

const MESSAGE = Buffer.from('I agree.');
const CURVES: readonly Curve[] = ['ed25519', 'secp256k1'];

const subsets = (of: readonly number[]): number[][] =>
  of.reduce<number[][]>((all, one) => [...all, ...all.map((some) => [...some, one])], [[]]);

type Dealt = ReturnType<ReturnType<typeof suiteOf>['frost']['trustedDealer']>;

/**
 * What some participants make together when none of them checks anything: to the library as many sign as it takes, so that
 * the arithmetic alone decides.
 */
function signed(curve: Curve, dealt: Dealt, parties: readonly number[]): Uint8Array | null {
  const { frost } = suiteOf(curve);
  const group = { ...dealt.public, signers: { ...dealt.public.signers, min: parties.length } };
  const sides = parties.map((party) => {
    const secret = dealt.secretShares[identifierOf(curve, party)]!;
    return { secret, ...frost.commit(secret) };
  });
  const commitments = sides.map((side) => side.commitments);
  const shares = sides.map(({ secret, nonces }) => [
    secret.identifier,
    frost.signShare(secret, group, nonces, commitments, MESSAGE),
  ]);
  try {
    return frost.aggregate(group, commitments, MESSAGE, Object.fromEntries(shares) as Record<string, Uint8Array>);
  } catch {
    return null;
  }
}

/** Whether the public key of one share is that of the key. */
const isKey = (curve: Curve, { public: shown }: Dealt, party: number): boolean =>
  Buffer.from(shown.verifyingShares[identifierOf(curve, party)]!).equals(shown.commitments[0]!);

describe.each(CURVES)('of the shares of a key of %s', (curve) => {
  it.each(SHARE_SCHEMES)('by %s any that are enough sign, whoever has them, and no fewer do', (scheme) => {
    const { min, max } = partiesOf(scheme);
    const dealt = suiteOf(curve).frost.trustedDealer(signersOf(scheme));
    const all = Array.from({ length: max }, (_, at) => at + 1);
    const found = { enough: 0, tooFew: 0 };
    for (const parties of subsets(all).filter(({ length }) => length >= 2)) {
      const isEnough = parties.length >= min;
      expect([parties, signed(curve, dealt, parties) !== null]).toEqual([parties, isEnough]);
      found[isEnough ? 'enough' : 'tooFew'] += 1;
    }
    for (const party of all) expect([party, isKey(curve, dealt, party)]).toEqual([party, false]);
    const expected = {
      TWO_OF_TWO: { enough: 1, tooFew: 0 },
      TWO_OF_THREE: { enough: 4, tooFew: 0 },
      THREE_OF_FIVE: { enough: 16, tooFew: 10 },
    };
    expect(found).toEqual(expected[scheme]);
  });
});
