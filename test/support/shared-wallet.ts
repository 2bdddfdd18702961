import {
  createWallet,
  KeyGeneration,
  renewShares,
  Resharing,
  signInRoom,
  type OpenedRoom,
  type RoomMessage,
  type Rooms,
  type ShareSet,
  type Signable,
} from '../../clients/custody/src/index.js';
import { proofOf } from './surface/fresh-proof.js';
import type { World } from './world.js';

export type Scheme = 'TWO_OF_TWO' | 'TWO_OF_THREE' | 'THREE_OF_FIVE';

/** The rooms of one session, through the client that validates every response against the document. */
export function roomsOf(world: World, token: string): Rooms {
  const path = (roomId: string): string => world.sdk(`/waas/rooms/${roomId}/messages`);
  return {
    post: async (roomId, message) => {
      const options = { token, expect: 200 };
      const { body } = await world.anonymous.post<{ messages: RoomMessage[] }>(path(roomId), { message }, options);
      return body.messages;
    },
    read: async (roomId, after) => {
      const options = { token, expect: 200 };
      const { body } = await world.anonymous.get<{ messages: RoomMessage[] }>(
        `${path(roomId)}?after=${after}`,
        options,
      );
      return body.messages;
    },
  };
}

/** A user's side of shared keys, as on a device. */
export class Device {
  readonly rooms: Rooms;

  constructor(
    private readonly world: World,
    private readonly token: string,
    rooms?: Rooms,
  ) {
    this.rooms = rooms ?? roomsOf(world, token);
  }

  async create(thresholdSignatureScheme: Scheme, chain: 'SVM' | 'SUI' | 'TON' | 'BTC' = 'SVM'): Promise<ShareSet> {
    const generation = await KeyGeneration.begin(thresholdSignatureScheme, chain);
    const request = { chain, clientKeygenIds: generation.keygenIds, thresholdSignatureScheme };
    return createWallet(this.rooms, this.environmentId, generation, await this.open('create', request), keptNowhere);
  }

  /** @param scheme requests a reshare, even to the same scheme; without it, a refresh */
  async begin(shares: ShareSet, scheme?: Scheme): Promise<{ resharing: Resharing; opened: OpenedRoom }> {
    const resharing = await Resharing.begin(shares, scheme);
    const path = `${shares.walletId}/${scheme ? 'reshare' : 'refresh'}`;
    // Needed only by operations that give the user the whole key; the others ignore it.
    const headers = scheme && (await proofOf(this.world, this.token));
    return { resharing, opened: await this.open(path, scheme && resharing.request, headers) };
  }

  async renew(
    shares: ShareSet,
    scheme?: Scheme,
    keep: (pending: ShareSet) => Promise<void> = keptNowhere,
  ): Promise<ShareSet> {
    const { resharing, opened } = await this.begin(shares, scheme);
    return renewShares(this.rooms, this.environmentId, resharing, opened, keep);
  }

  /** A signature over a text, by one of the user's participants by default. */
  async sign(shares: ShareSet, text: string, participants?: readonly number[]): Promise<Uint8Array> {
    const { roomId } = await this.open(`${shares.walletId}/signMessage`, { message: text });
    const wanted = { chain: 'SVM', kind: 'message', bytes: Buffer.from(text) } as const;
    return (await signInRoom(this.rooms, shares, wanted, roomId, participants)).signature;
  }

  /** The same in a room that is already open. */
  complete(shares: ShareSet, wanted: Signable, roomId: string) {
    return signInRoom(this.rooms, shares, wanted, roomId);
  }

  private get environmentId(): string {
    return this.world.environmentId;
  }

  private async open(path: string, request?: object, headers?: Record<string, string>): Promise<OpenedRoom> {
    const options = { token: this.token, expect: 200, headers };
    return (await this.world.anonymous.post<OpenedRoom>(this.world.sdk(`/waas/${path}`), request, options)).body;
  }
}

const keptNowhere = (): Promise<void> => Promise.resolve();
