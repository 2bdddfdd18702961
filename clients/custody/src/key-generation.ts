import type { FROST } from '@noble/curves/abstract/frost.js';
import { joined, fromHex, toHex, utf8 } from './encoding.js';
import { addressOf, keyCurveOf, type KeyChain } from './addresses.js';
import { newReceiver, open, seal, type Receiver, type Sealed } from './sealing.js';
import {
  identifierOf,
  shownShares,
  suiteOf,
  type Curve,
  type NonceCommitment,
  type PublicShares,
  type ShareSet,
} from './shares.js';
import { signingShares } from './signing.js';

export type { ShareSet } from './shares.js';

/** Signing takes `min` of `max` shares, of which the user has `clients`. */
export const SCHEMES = {
  TWO_OF_TWO: { min: 2, max: 2, clients: 1 },
  TWO_OF_THREE: { min: 2, max: 3, clients: 2 },
  THREE_OF_FIVE: { min: 3, max: 5, clients: 3 },
} as const;

export type Scheme = keyof typeof SCHEMES;

interface Round1Package {
  readonly id: number;
  readonly commitment: readonly string[];
  readonly proof: string;
}

export interface SealedShare extends Sealed {
  readonly from: number;
  readonly to: number;
}

export interface Opening {
  readonly packages: readonly Round1Package[];
}

export interface KeyMade {
  readonly shares: readonly SealedShare[];
  readonly commitments: readonly NonceCommitment[];
  readonly publicKey: string;
  readonly address: string;
  readonly walletId: string;
}

type Participant = ReturnType<FROST['DKG']['round1']> & { readonly id: number; readonly receiver: Receiver };

/** The user's side of one key generation. Single-use. */
export class KeyGeneration {
  private packages: readonly Round1Package[] = [];
  private given = new Map<string, Uint8Array>();

  private constructor(
    readonly scheme: Scheme,
    private readonly chain: KeyChain,
    private readonly participants: readonly Participant[],
  ) {}

  static async begin(scheme: Scheme, chain: KeyChain): Promise<KeyGeneration> {
    const { clients, min, max } = SCHEMES[scheme];
    const curve = keyCurveOf(chain);
    const ids = Array.from({ length: clients }, (_, at) => at + 1);
    const made = ids.map(async (id) => ({
      id,
      receiver: await newReceiver(),
      ...suiteOf(curve).frost.DKG.round1(identifierOf(curve, id), { min, max }),
    }));
    return new KeyGeneration(scheme, chain, await Promise.all(made));
  }

  /** `clientKeygenIds` of the request. */
  get keygenIds(): string[] {
    return this.participants.map(({ receiver }) => receiver.keygenId);
  }

  /**
   * The first message: commitments, proofs, and the sealed shares for the service's participants.
   *
   * @throws Error when the service's message is invalid
   */
  async respond(
    room: { readonly environmentId: string; readonly roomId: string },
    { packages }: Opening,
    serverKeygenIds: readonly string[],
  ): Promise<object> {
    const own = this.participants.map(({ id, public: shown }) => ({
      id,
      commitment: shown.commitment.map((one) => toHex(one)),
      proof: toHex(shown.proofOfKnowledge),
    }));
    this.packages = [...own, ...packages];
    const shares: SealedShare[] = [];
    for (const { id, secret, public: shown } of this.participants) {
      const made = suiteOf(this.curve).frost.DKG.round2(secret, this.othersOf(id));
      for (const { id: to } of this.packages) {
        if (to === id) continue;
        const share = made[identifierOf(this.curve, to)]!.signingShare;
        const at = packages.findIndex((one) => one.id === to);
        if (at < 0) this.given.set(`${id}-${to}`, share);
        else {
          const aad = joined(...shown.commitment);
          const sealed = await seal(serverKeygenIds[at]!, share, infoOf(room, id, to), aad);
          shares.push({ from: id, to, ...sealed });
        }
      }
    }
    return { type: 'keygen.shares', packages: own, shares };
  }

  /**
   * The second message: a signature that proves the key. Store the shares before sending it, as it creates the wallet.
   *
   * @throws Error when a share is invalid, or the service reports another key than the one generated
   */
  async finish(
    room: { readonly environmentId: string; readonly roomId: string },
    made: KeyMade,
  ): Promise<{ shares: ShareSet; proof: object }> {
    const secrets: { id: number; share: string }[] = [];
    let publicShares: PublicShares | null = null;
    for (const { id, secret, receiver } of this.participants) {
      const received = await Promise.all(
        this.packages
          .filter((one) => one.id !== id)
          .map(async ({ id: from, commitment }) => {
            const aad = joined(...commitment.map(fromHex));
            const sealed = made.shares.find((one) => one.from === from && one.to === id);
            const share =
              this.given.get(`${from}-${id}`) ?? (await open(receiver, sealed!, infoOf(room, from, id), aad));
            return { identifier: identifierOf(this.curve, from), signingShare: share };
          }),
      );
      const key = suiteOf(this.curve).frost.DKG.round3(secret, this.othersOf(id), received);
      publicShares = shownShares(this.curve, key.public);
      secrets.push({ id, share: toHex(key.secret.signingShare) });
    }
    if (publicShares!.commitments[0] !== made.publicKey) throw new Error('The service says another public key.');
    const { walletId } = made;
    const address = addressOf(this.chain, made.publicKey);
    if (address !== made.address) throw new Error('The service says another address.');
    const shares = { walletId, address, publicShares: publicShares!, secrets };
    return { shares, proof: signingShares(shares, made.commitments, proofText(room.roomId, made.publicKey)) };
  }

  private get curve(): Curve {
    return keyCurveOf(this.chain);
  }

  private othersOf(id: number) {
    return this.packages
      .filter((one) => one.id !== id)
      .map(({ id: from, commitment, proof }) => ({
        identifier: identifierOf(this.curve, from),
        commitment: commitment.map(fromHex),
        proofOfKnowledge: fromHex(proof),
      })) as never;
  }
}

/** What both sides sign to prove that they have their shares. It is not a valid transaction or message of any chain. */
export const proofText = (roomId: string, publicKey: string): Uint8Array =>
  utf8(`gatehouse/keygen-proof/v1|${roomId}|${publicKey}`);

const infoOf = ({ environmentId, roomId }: { environmentId: string; roomId: string }, from: number, to: number) =>
  utf8(['keygen/v1', environmentId, roomId, from, to].join('|'));
