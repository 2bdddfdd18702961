import { fromBase64url, toHex } from './encoding.js';
import type { KeyGeneration, KeyMade, Opening, ShareSet } from './key-generation.js';
import { MismatchedMessage, payloadOf, type Signable } from './payload.js';
import type { RoomMessage, Rooms } from './rooms.js';
import type { NonceCommitment } from './shares.js';
import { signingShares, verifyOutcome } from './signing.js';

/** What `createWaasAccount` and `signMessage` answer. */
export interface OpenedRoom {
  readonly roomId: string;
  readonly serverKeygenIds?: readonly string[];
}

/** The message of a type, of those that are there. @throws Error when there is none */
function messageOf<T>(messages: readonly RoomMessage[], type: string): T {
  const found = messages.find(({ message }) => message['type'] === type);
  if (!found) throw new Error(`The room has no message of type ${type}.`);
  return found.message as T;
}

/**
 * Takes part in a key generation to its end.
 *
 * @param keep stores the shares; when it fails, the wallet does not come into being
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
 * Takes part in a signature to its end, and sends nothing unless what the room is for is what the caller wants signed.
 *
 * @returns 64 bytes (RFC 8032), and what the service made of them for the chain
 */
export async function signInRoom(
  rooms: Rooms,
  shares: ShareSet,
  wanted: Signable,
  roomId: string,
  participants: readonly number[] = [shares.secrets[0]!.id],
): Promise<{ signature: Uint8Array; signed: { signature?: string; signedTransaction?: string } }> {
  const opening = messageOf<{ message: string; commitments: NonceCommitment[] }>(
    await rooms.read(roomId, 0),
    'sign.commitments',
  );
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
