import { fromBase64url, fromHex, toHex } from './encoding.js';
import type { KeyGeneration, KeyMade, Opening, ShareSet } from './key-generation.js';
import { MismatchedMessage, payloadOf, type Signable } from './payload.js';
import { messageOf, type RoomMessage, type Rooms } from './rooms.js';
import { OtherGeneration, type ReshareOpening, type Resharing, type SharedAnew } from './resharing.js';
import { curveOfPoints, generationOf, suiteOf, type NonceCommitment } from './shares.js';
import { signingShares, verifyOutcome } from './signing.js';

/** The response of operations that open a room. */
export interface OpenedRoom {
  readonly roomId: string;
  readonly serverKeygenIds?: readonly string[];
  /** For a change of scheme: those of the new scheme's participants. */
  readonly newServerKeygenIds?: readonly string[];
  /** The first message of a signing room. */
  readonly opening?: RoomMessage['message'];
}

/**
 * Completes a key generation.
 *
 * @param keep stores the shares; if it fails, the wallet is not created
 */
export async function createWallet(
  rooms: Rooms,
  environmentId: string,
  generation: KeyGeneration,
  { roomId, serverKeygenIds = [] }: OpenedRoom,
  keep: (shares: ShareSet) => Promise<void>,
): Promise<ShareSet> {
  const room = { environmentId, roomId };
  const opening = messageOf<Opening>(await rooms.read(roomId, 0), 'keygen.commitments');
  const first = await generation.respond(room, opening, serverKeygenIds);
  const made = messageOf<KeyMade>(await rooms.post(roomId, first), 'keygen.key');
  const { shares, proof } = await generation.finish(room, made);
  await keep(shares);
  messageOf(await rooms.post(roomId, proof), 'keygen.done');
  return shares;
}

/**
 * Completes a signature. Sends nothing unless the room's message is the one that the caller wants signed.
 *
 * @returns 64 bytes (RFC 8032, BIP-340), and the service's chain-specific result
 * @throws OtherGeneration when the service has switched to another generation of shares
 */
export async function signInRoom(
  rooms: Rooms,
  shares: ShareSet,
  wanted: Signable,
  roomId: string,
  participants: readonly number[] = [shares.secrets[0]!.id],
): Promise<{ signature: Uint8Array; signed: { signature?: string; signedTransaction?: string } }> {
  const opening = messageOf<{ message: string; generation?: number; commitments: NonceCommitment[] }>(
    await rooms.read(roomId, 0),
    'sign.commitments',
  );
  if (generationOf(opening) !== generationOf(shares)) throw new OtherGeneration(generationOf(opening));
  const message = payloadOf(wanted);
  if (toHex(fromBase64url(opening.message)) !== toHex(message))
    throw new MismatchedMessage('The room is for another message.');
  const own = signingShares(shares, opening.commitments, message, participants);
  const outcome = messageOf<{
    shares: { id: number; share: string }[];
    signed: { signature?: string; signedTransaction?: string };
  }>(await rooms.post(roomId, own), 'sign.done');
  const signature = verifyOutcome(shares, opening.commitments, message, own, outcome.shares);
  return { signature, signed: outcome.signed };
}

/**
 * Completes a refresh or reshare, which keeps the key and the address.
 *
 * @param keep stores the new shares beside the old ones; if it fails, the old ones stay in use. Once this function has
 *   returned, the old ones are void and must be destroyed. If it throws after `keep`, the next room tells which
 *   generation is in use (`OtherGeneration`), and shares of the other must be destroyed
 */
export async function renewShares(
  rooms: Rooms,
  environmentId: string,
  resharing: Resharing,
  { roomId, serverKeygenIds = [], newServerKeygenIds = serverKeygenIds }: OpenedRoom,
  keep: (pending: ShareSet) => Promise<void>,
): Promise<ShareSet> {
  const room = { environmentId, roomId };
  const opening = messageOf<ReshareOpening>(await rooms.read(roomId, 0), 'reshare.commitments');
  const first = await resharing.respond(room, opening, newServerKeygenIds);
  const anew = messageOf<SharedAnew>(await rooms.post(roomId, first), 'reshare.key');
  const { shares, proof, text } = await resharing.finish(room, anew);
  await keep(shares);
  const { signature } = messageOf<{ signature: string }>(await rooms.post(roomId, proof), 'reshare.done');
  const { frost } = suiteOf(curveOfPoints([anew.publicKey]));
  if (!frost.verify(fromHex(signature), text, fromHex(anew.publicKey)))
    throw new Error('The service did not prove its new shares.');
  return shares;
}
