import type { FROST } from '@noble/curves/abstract/frost.js';
import { CeremonyFault } from './ceremony-fault.js';
import { bytesOf, hexOf, publicKeyOf, type PublicShares, type SecretShare } from './frost.js';
import { clientParties, partiesOf, serverParties, signersOf, type ShareScheme } from './schemes.js';
import { assertSubShare, openSubShare, sealSubShare, type Dealer, type Exchange } from './sub-shares.js';
import { curveOfPoints, suiteOf, type Curve, type GroupPoint } from './suites.js';
import type { ReshareShares, SealedShare } from './wire.js';

/** What the service keeps between rounds. Secret; the old shares stay in their own storage. */
export interface ReshareSecrets {
  /** For the service's participants in the new scheme: the 32-byte secrets of their key pairs. */
  readonly receivers: readonly string[];
  readonly dealers: readonly (Dealer & {
    /** Of its polynomial, except the constant one, which is the share being reshared. */
    readonly coefficients: readonly string[];
  })[];
}

/** The ceremony, and how the key is to be shared. */
export interface Resharing extends Omit<Exchange, 'label' | 'curve'> {
  readonly scheme: ShareScheme;
}

/** The shares of the generation being replaced. */
interface OldShares {
  readonly shares: PublicShares;
  readonly secrets: readonly SecretShare[];
}

type Field = FROST['utils']['Fn'];

/**
 * Each of the service's participants reshares its share: a polynomial of the new degree whose constant coefficient is
 * the share, and commitments to the coefficients. All of the service's participants take part, and as many of the
 * user's as are needed to reach the threshold, so that each polynomial is weighted by its dealer's Lagrange coefficient
 * (RFC 9591, section 4.2), and together they have the key as their constant.
 */
export function beginReshare(
  { shares, secrets }: OldShares,
  scheme: ShareScheme,
  receivers: readonly Uint8Array[],
): ReshareSecrets {
  const { utils } = suiteOf(curveOfPoints(shares.commitments)).frost;
  const dealers = secrets.map(({ id, share }) => {
    const { coefficients, commitment } = utils.generateSecretPolynomial(signersOf(scheme), bytesOf(share));
    const rest = coefficients.slice(1).map((one) => hexOf(utils.Fn.toBytes(one)));
    return { id, commitment: commitment.map((point) => hexOf(point)), coefficients: rest };
  });
  return { receivers: receivers.map(hexOf), dealers };
}

/**
 * Checks what the user's participants deal, and returns the service's shares of the new generation and what the user's
 * participants need for theirs. The public key is the same by construction, and is compared all the same.
 *
 * @throws CeremonyFault naming the participant that deals something other than its share, or a share that is not on its
 *   polynomial
 */
export async function finishReshare(
  resharing: Resharing,
  old: OldShares,
  { receivers, dealers }: ReshareSecrets,
  { packages: theirs, shares: sent }: ReshareShares,
): Promise<{ public: PublicShares; secrets: SecretShare[]; shares: SealedShare[] }> {
  const { scheme } = resharing;
  const curve = curveOfPoints(old.shares.commitments);
  const exchange = { ...resharing, curve, label: 'reshare/v1' } as const;
  const { Fn } = suiteOf(curve).frost.utils;
  assertDealers(old.shares, dealers, theirs, partiesOf(scheme).min);
  const all = [...theirs, ...dealers];
  const weights = new Map(all.map(({ id }) => [id, weightOf(Fn, id, all)]));
  const own = dealers.map(({ id, commitment, coefficients }) => {
    const { share } = old.secrets.find((secret) => secret.id === id)!;
    return { id, commitment, polynomial: [share, ...coefficients].map((one) => Fn.fromBytes(bytesOf(one))) };
  });
  const secrets: SecretShare[] = [];
  for (const [at, to] of serverParties(scheme).entries()) {
    let share = own.reduce(
      (sum, one) => Fn.add(sum, Fn.mul(weights.get(one.id)!, valueAt(Fn, one.polynomial, to))),
      0n,
    );
    for (const from of theirs) {
      const dealt = await openSubShare(exchange, { from, to }, sent, bytesOf(receivers[at]!));
      assertSubShare(curve, dealt, from, to);
      share = Fn.add(share, Fn.mul(weights.get(from.id)!, Fn.fromBytes(dealt)));
    }
    secrets.push({ id: to, share: hexOf(Fn.toBytes(share)) });
  }
  const shares: SealedShare[] = [];
  for (const { id, commitment, polynomial } of own) {
    for (const to of clientParties(scheme)) {
      const dealt = Fn.toBytes(valueAt(Fn, polynomial, to));
      shares.push(await sealSubShare(exchange, { from: id, to, commitment }, dealt));
    }
  }
  const shown = publicOf(curve, scheme, all, weights);
  if (!publicKeyOf(shown).equals(publicKeyOf(old.shares)))
    throw new CeremonyFault('the dealt shares are of another key');
  return { public: shown, secrets, shares };
}

function assertDealers(
  { min, verifyingShares }: PublicShares,
  own: readonly Dealer[],
  theirs: readonly Dealer[],
  degree: number,
): void {
  const ids = new Set([...theirs, ...own].map(({ id }) => id));
  const needed = min - own.length;
  if (theirs.length !== needed || ids.size !== min || theirs.some(({ id }) => id > verifyingShares.length))
    throw new CeremonyFault(`${needed} of the user's participants deal their shares`);
  for (const { id, commitment } of theirs) {
    if (commitment.length !== degree)
      throw new CeremonyFault(`participant ${id} commits to another number of coefficients`, id);
    if (commitment[0] !== verifyingShares[id - 1])
      throw new CeremonyFault(`participant ${id} deals something else than its share of this generation`, id);
  }
}

/** The Lagrange coefficient of a participant among others, at 0. */
function weightOf(Fn: Field, id: number, all: readonly Dealer[]): bigint {
  let weight = Fn.ONE;
  for (const other of all) {
    if (other.id !== id) weight = Fn.mul(weight, Fn.div(BigInt(other.id), Fn.sub(BigInt(other.id), BigInt(id))));
  }
  return weight;
}

/** Evaluates a polynomial by Horner's rule. */
const valueAt = (Fn: Field, coefficients: readonly bigint[], at: number): bigint =>
  coefficients.reduceRight((sum, one) => Fn.add(Fn.mul(sum, BigInt(at)), one), Fn.ZERO);

type Weights = ReadonlyMap<number, bigint>;

/** The weighted sum of all dealers' commitments, and the verifying shares that follow from it. */
function publicOf(curve: Curve, scheme: ShareScheme, all: readonly Dealer[], weights: Weights): PublicShares {
  const { Point } = suiteOf(curve);
  const { min, max } = signersOf(scheme);
  const points = Array.from({ length: min }, (_, at) =>
    all.reduce(
      (sum, { id, commitment }) => sum.add(times(pointOf(curve, commitment[at]!, id), weights.get(id)!)),
      Point.ZERO,
    ),
  );
  const shareOf = (party: number) => points.reduceRight((sum, one) => times(sum, BigInt(party)).add(one), Point.ZERO);
  return {
    min,
    max,
    commitments: points.map((one) => one.toHex()),
    verifyingShares: Array.from({ length: max }, (_, at) => shareOf(at + 1).toHex()),
  };
}

/** All inputs are public, so the timing reveals nothing. */
const times = (point: GroupPoint, by: bigint): GroupPoint => point.multiplyUnsafe(by);

function pointOf(curve: Curve, hex: string, id: number): GroupPoint {
  try {
    const point = suiteOf(curve).Point.fromHex(hex);
    if (!point.is0() && point.isTorsionFree()) return point;
  } catch {
    // Not on the curve: treated as the same fault.
  }
  throw new CeremonyFault('a commitment is no point of the group', id);
}
