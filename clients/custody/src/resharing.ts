import type { FROST } from '@noble/curves/abstract/frost.js';
import { fromHex, joined, toHex, utf8 } from './encoding.js';
import { SCHEMES, type Scheme, type SealedShare } from './key-generation.js';
import { newReceiver, open, seal, type Receiver } from './sealing.js';
import {
  curveOfPoints,
  generationOf,
  identifierOf,
  suiteOf,
  type Curve,
  type NonceCommitment,
  type PublicShares,
  type ShareSet,
} from './shares.js';
import { signingShares } from './signing.js';

type Field = FROST['utils']['Fn'];

interface Dealing {
  readonly id: number;
  readonly commitment: readonly string[];
}

/** One of the user's participants, dealing its share with its secret polynomial. */
type Dealer = Dealing & { readonly polynomial: readonly bigint[] };

export interface ReshareOpening {
  /** The generation of the shares being replaced. */
  readonly generation: number;
  readonly scheme: Scheme;
  readonly packages: readonly Dealing[];
}

export interface SharedAnew {
  readonly generation: number;
  readonly shares: readonly SealedShare[];
  readonly commitments: readonly NonceCommitment[];
  readonly publicKey: string;
}

interface Room {
  readonly environmentId: string;
  readonly roomId: string;
}

/** The service holds another generation of shares: this device missed the end of a ceremony. */
export class OtherGeneration extends Error {
  override readonly name = 'OtherGeneration';

  constructor(readonly generation: number) {
    super(`The shares in use are those of generation ${generation}.`);
  }
}

/** The user's side of one refresh or reshare: new shares of the same key. Single-use. */
export class Resharing {
  private all: readonly Dealing[] = [];
  private dealers: readonly Dealer[] = [];

  private constructor(
    private readonly old: ShareSet,
    readonly scheme: Scheme,
    private readonly receivers: readonly Receiver[],
  ) {}

  /** @param scheme the new scheme; by default the current one, for a refresh */
  static async begin(old: ShareSet, scheme: Scheme = schemeOf(old)): Promise<Resharing> {
    const receivers = Array.from({ length: SCHEMES[scheme].clients }, () => newReceiver());
    return new Resharing(old, scheme, await Promise.all(receivers));
  }

  /** The request body of `reshare`. */
  get request(): {
    clientKeygenIds: string[];
    oldThresholdSignatureScheme: Scheme;
    newThresholdSignatureScheme: Scheme;
  } {
    return {
      clientKeygenIds: this.keygenIds,
      oldThresholdSignatureScheme: schemeOf(this.old),
      newThresholdSignatureScheme: this.scheme,
    };
  }

  /**
   * The first message: the user's dealings, and their shares for the service's participants.
   *
   * @param serverKeygenIds those of the new scheme
   * @throws OtherGeneration, Error when the service deals anything other than its shares of this key
   */
  async respond(room: Room, opening: ReshareOpening, serverKeygenIds: readonly string[]): Promise<object> {
    const { publicShares, secrets } = this.old;
    if (opening.generation !== generationOf(this.old)) throw new OtherGeneration(opening.generation);
    if (opening.scheme !== this.scheme) throw new Error('The room is for another scheme.');
    const { min, max, clients } = SCHEMES[this.scheme];
    // Additional points of a polynomial would let the service reconstruct the share being dealt.
    if (serverKeygenIds.length !== max - clients) throw new Error('The service asks for another number of shares.');
    for (const { id, commitment } of opening.packages) {
      if (commitment[0] !== publicShares.verifyingShares[id - 1] || commitment.length !== min)
        throw new Error(`Participant ${id} deals something else than its share.`);
    }
    const { utils } = suiteOf(this.curve).frost;
    const needed = secrets.slice(0, publicShares.min - opening.packages.length);
    this.dealers = needed.map(({ id, share }) => {
      const dealt = utils.generateSecretPolynomial({ min, max }, fromHex(share));
      return { id, commitment: dealt.commitment.map((one) => toHex(one)), polynomial: dealt.coefficients };
    });
    this.all = [...this.dealers, ...opening.packages];
    const shares: SealedShare[] = [];
    for (const { id, commitment, polynomial } of this.dealers) {
      for (const [at, keygenId] of serverKeygenIds.entries()) {
        const to = clients + at + 1;
        const share = utils.Fn.toBytes(valueAt(utils.Fn, polynomial, to));
        const sealed = await seal(keygenId, share, infoOf(room, id, to), joined(...commitment.map(fromHex)));
        shares.push({ from: id, to, ...sealed });
      }
    }
    const packages = this.dealers.map(({ id, commitment }) => ({ id, commitment }));
    return { type: 'reshare.shares', keygenIds: this.keygenIds, packages, shares };
  }

  /**
   * The second message: a signature with the new shares. Store them before sending it, and keep the old ones until it
   * has been answered: it puts the new ones into use.
   *
   * @throws Error when a share is invalid, or the service reports another key
   */
  async finish(room: Room, anew: SharedAnew): Promise<{ shares: ShareSet; proof: object; text: Uint8Array }> {
    const { walletId, address, publicShares: old } = this.old;
    const { Fn } = suiteOf(this.curve).frost.utils;
    const weights = new Map(this.all.map(({ id }) => [id, weightOf(Fn, id, this.all)]));
    const publicShares = publicOf(this.curve, this.scheme, this.all, weights);
    const generation = generationOf(this.old) + 1;
    const isSame = publicShares.commitments[0] === old.commitments[0] && anew.publicKey === old.commitments[0];
    if (!isSame || anew.generation !== generation)
      throw new Error('The service says another public key or generation.');
    const secrets: { id: number; share: string }[] = [];
    for (const [at, receiver] of this.receivers.entries()) {
      const to = at + 1;
      let share = Fn.ZERO;
      for (const from of this.all) {
        const dealer = this.dealers.find(({ id }) => id === from.id);
        const dealt = dealer
          ? valueAt(Fn, dealer.polynomial, to)
          : Fn.fromBytes(await received(room, anew, from, { to, receiver, curve: this.curve }));
        share = Fn.add(share, Fn.mul(weights.get(from.id)!, dealt));
      }
      secrets.push({ id: to, share: toHex(Fn.toBytes(share)) });
    }
    const shares = { walletId, address, generation, publicShares, secrets };
    const text = proofText(room.roomId, anew.publicKey, generation);
    return { shares, proof: signingShares(shares, anew.commitments, text), text };
  }

  private get curve(): Curve {
    return curveOfPoints(this.old.publicShares.commitments);
  }

  private get keygenIds(): string[] {
    return this.receivers.map(({ keygenId }) => keygenId);
  }
}

/** The scheme that the key is shared under. */
export function schemeOf({ publicShares: { min, max } }: Pick<ShareSet, 'publicShares'>): Scheme {
  const found = Object.entries(SCHEMES).find(([, one]) => one.min === min && one.max === max);
  if (!found) throw new Error(`No scheme has ${min} of ${max}.`);
  return found[0] as Scheme;
}

/** What both sides sign with the new shares. It is not a valid transaction or message of any chain. */
const proofText = (roomId: string, publicKey: string, generation: number): Uint8Array =>
  utf8(`gatehouse/reshare-proof/v1|${roomId}|${publicKey}|${generation}`);

const infoOf = ({ environmentId, roomId }: Room, from: number, to: number): Uint8Array =>
  utf8(['reshare/v1', environmentId, roomId, from, to].join('|'));

/** The share dealt by a participant of the service, verified to lie on its polynomial. */
async function received(
  room: Room,
  { shares }: SharedAnew,
  { id, commitment }: Dealing,
  { to, receiver, curve }: { to: number; receiver: Receiver; curve: Curve },
): Promise<Uint8Array> {
  const sealed = shares.find((one) => one.from === id && one.to === to);
  if (!sealed) throw new Error(`Participant ${id} sends no share to participant ${to}.`);
  const commitments = commitment.map(fromHex);
  const signingShare = await open(receiver, sealed, infoOf(room, id, to), joined(...commitments));
  const { length: min } = commitments;
  const shown = { signers: { min, max: Math.max(min, to) }, commitments, verifyingShares: {} };
  suiteOf(curve).frost.validateSecret({ identifier: identifierOf(curve, to), signingShare }, shown);
  return signingShare;
}

/** A participant's Lagrange coefficient at 0 (RFC 9591, section 4.2). */
function weightOf(Fn: Field, id: number, all: readonly Dealing[]): bigint {
  let weight = Fn.ONE;
  for (const other of all) {
    if (other.id !== id) weight = Fn.mul(weight, Fn.div(BigInt(other.id), Fn.sub(BigInt(other.id), BigInt(id))));
  }
  return weight;
}

/** Evaluates a polynomial by Horner's rule. */
const valueAt = (Fn: Field, coefficients: readonly bigint[], at: number): bigint =>
  coefficients.reduceRight((sum, one) => Fn.add(Fn.mul(sum, BigInt(at)), one), Fn.ZERO);

function publicOf(
  curve: Curve,
  scheme: Scheme,
  all: readonly Dealing[],
  weights: ReadonlyMap<number, bigint>,
): PublicShares {
  const { Point } = suiteOf(curve);
  const { min, max } = SCHEMES[scheme];
  const points = Array.from({ length: min }, (_, at) =>
    all.reduce((sum, { id, commitment }) => {
      const point = Point.fromHex(commitment[at]!);
      if (point.is0() || !point.isTorsionFree()) throw new Error('A commitment is no point of the group.');
      return sum.add(point.multiplyUnsafe(weights.get(id)!));
    }, Point.ZERO),
  );
  const shareOf = (party: number) =>
    points.reduceRight((sum, one) => sum.multiplyUnsafe(BigInt(party)).add(one), Point.ZERO).toHex();
  const verifyingShares = Array.from({ length: max }, (_, at) => shareOf(at + 1));
  return { min, max, commitments: points.map((one) => one.toHex()), verifyingShares };
}
