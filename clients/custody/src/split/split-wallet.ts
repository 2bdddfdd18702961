import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { OpenedRoom } from '../ceremonies.js';
import { fromHex, joined, toHex, utf8 } from '../encoding.js';
import { SCHEMES, type Scheme } from '../key-generation.js';
import { MismatchedMessage } from '../payload.js';
import { OtherGeneration } from '../resharing.js';
import { messageOf, type Rooms } from '../rooms.js';
import { newReceiver, open, seal, type Receiver, type Sealed } from '../sealing.js';
import { generationOf, type ShareSet } from '../shares.js';
import {
  assertSplitShare,
  evmAddressOf,
  joinKey,
  messageDigest,
  signDigest,
  splitKey,
  type SplitShare,
} from './split-key.js';

/** The response of `createWaasAccount` for a chain whose keys are split. */
export interface OpenedSplit extends OpenedRoom {
  readonly walletId: string;
}

/** Creates a key and splits it: the user's side of a V2 key generation. Single-use. */
export class SplitGeneration {
  private isDealt = false;

  private constructor(
    readonly scheme: Scheme,
    private readonly receivers: readonly Receiver[],
  ) {}

  static async begin(scheme: Scheme): Promise<SplitGeneration> {
    const receivers = Array.from({ length: SCHEMES[scheme].clients }, () => newReceiver());
    return new SplitGeneration(scheme, await Promise.all(receivers));
  }

  /** `clientKeygenIds` of the request. Unused for sealing: the device deals the shares and receives none. */
  get keygenIds(): string[] {
    return this.receivers.map(({ keygenId }) => keygenId);
  }

  /**
   * The only message: the service's shares, the commitments, and a proof signed with the key.
   *
   * @returns the message, and the user's shares, which must be stored before it is sent
   */
  async deal(
    { environmentId, roomId }: { readonly environmentId: string; readonly roomId: string },
    { walletId, serverKeygenIds = [] }: OpenedSplit,
  ): Promise<{ shares: ShareSet; message: object }> {
    // Shares of a second key would replace those that the service has accepted.
    if (this.isDealt) throw new Error('A key was dealt already: begin another generation.');
    this.isDealt = true;
    const { max, clients } = SCHEMES[this.scheme];
    // Additional shares would let the service reconstruct the key.
    if (serverKeygenIds.length !== max - clients) throw new Error('The service asks for another number of shares.');
    const key = secp256k1.utils.randomSecretKey();
    try {
      const { publicShares, shares } = splitKey(key, this.scheme);
      const { commitments } = publicShares;
      const aad = joined(...commitments.map(fromHex));
      const sealed: object[] = [];
      for (const { id: to, share } of shares.slice(clients)) {
        const info = utf8(['split/v1', environmentId, roomId, to].join('|'));
        sealed.push({ to, ...(await seal(serverKeygenIds[to - clients - 1]!, fromHex(share), info, aad)) });
      }
      const proof = ['gatehouse/split-proof/v1', environmentId, roomId, this.scheme, ...commitments].join('|');
      const signature = signDigest(messageDigest(utf8(proof)), key);
      const address = evmAddressOf(commitments[0]!);
      return {
        shares: { walletId, address, publicShares, secrets: shares.slice(0, clients) },
        message: { type: 'split.deal', commitments, shares: sealed, signature },
      };
    } finally {
      key.fill(0);
    }
  }
}

/**
 * Completes the generation of a split key.
 *
 * @param keep stores the shares; if it fails, the wallet is not created
 */
export async function createSplitWallet(
  rooms: Rooms,
  environmentId: string,
  generation: SplitGeneration,
  opened: OpenedSplit,
  keep: (shares: ShareSet) => Promise<void>,
): Promise<ShareSet> {
  const { roomId } = opened;
  const messages = await rooms.read(roomId, 0);
  // After a lost response: the wallet was created with the stored shares.
  if (messages.length > 1) throw new Error('The room is used: the wallet has the shares that were kept.');
  const { scheme } = messageOf<{ scheme: Scheme }>(messages, 'split.keygen');
  if (scheme !== generation.scheme) throw new Error('The room is for another scheme.');
  const { shares, message } = await generation.deal({ environmentId, roomId }, opened);
  await keep(shares);
  const { address } = messageOf<{ address: string }>(await rooms.post(roomId, message), 'split.done');
  if (address !== shares.address) throw new Error('The service says another address.');
  return shares;
}

/** The service's chain-specific result. */
export interface SplitSigned {
  readonly signature: `0x${string}`;
  readonly signedTransaction?: `0x${string}`;
}

/**
 * Fetches the service's shares, reconstructs the key, signs, and overwrites it. Requests nothing unless the room's
 * digest is the one that the caller wants signed.
 *
 * @throws MismatchedMessage, OtherGeneration, Error naming the participant whose share is invalid
 */
export async function signSplit(
  rooms: Rooms,
  environmentId: string,
  shares: ShareSet,
  digest: Uint8Array,
  roomId: string,
): Promise<SplitSigned> {
  const opening = messageOf<{ digest: string; generation: number }>(await rooms.read(roomId, 0), 'split.signing');
  if (opening.digest !== toHex(digest)) throw new MismatchedMessage('The room is for another message.');
  if (opening.generation !== generationOf(shares)) throw new OtherGeneration(opening.generation);
  const receiver = await newReceiver();
  const posted = await rooms.post(roomId, { type: 'split.key', keygenId: receiver.keygenId });
  const { shares: released } = messageOf<{ shares: readonly (Sealed & { from: number })[] }>(posted, 'split.shares');
  const { walletId, publicShares, secrets } = shares;
  const aad = joined(...publicShares.commitments.map(fromHex));
  const theirs: SplitShare[] = [];
  for (const { from: id, ...sealed } of released) {
    const info = utf8(['split-release/v1', environmentId, roomId, walletId, toHex(digest), id].join('|'));
    const share = { id, share: toHex(await open(receiver, sealed, info, aad)) };
    assertSplitShare(publicShares, share);
    theirs.push(share);
  }
  const key = joinKey(publicShares, [...theirs, ...secrets]);
  const signature = signWith(key, digest);
  const { signed } = messageOf<{ signed: SplitSigned }>(
    await rooms.post(roomId, { type: 'split.signature', signature }),
    'split.signed',
  );
  return { ...signed, signature };
}

/**
 * The whole key from the shares of an export. From now on it belongs to the user; the caller must overwrite it.
 *
 * @param exported the contents of the bundle (docs/wallet-export.md)
 */
export function joinExported(shares: ShareSet, exported: Uint8Array): Uint8Array {
  const { shares: theirs } = JSON.parse(new TextDecoder().decode(exported)) as { shares: readonly SplitShare[] };
  return joinKey(shares.publicShares, [...theirs, ...shares.secrets]);
}

function signWith(key: Uint8Array, digest: Uint8Array): `0x${string}` {
  try {
    return signDigest(digest, key);
  } finally {
    key.fill(0);
  }
}
