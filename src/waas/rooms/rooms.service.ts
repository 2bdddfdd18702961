import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { conflict, notFound } from '../../common/errors/index.js';
import { isUuid, newId } from '../../common/ids.js';
import type { NewlySealed, ShareScheme } from '../../custody/index.js';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { Jobs } from '../../queue/index.js';
import { ceremoniesLocked, roomOver, tooManyRooms } from '../waas.errors.js';
import { MAX_WAIT_SECONDS, type ReadRoomQuery, type RoomMessages } from './room.dto.js';
import type { RoomType } from './room.entity.js';
import {
  MAX_ABORTED,
  MAX_OPEN_ROOMS,
  RoomsRepository,
  type AnyTakenRoom,
  type Beginning,
  type FreeRoom,
  type Participant,
  type RoomView,
  type SentMessage,
  type TakenRoom,
} from './rooms.repository.js';

/** First pause between polls while a caller waits: short, since most answers come either soon or late. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 800;

/** A ceremony about to begin, with the service's first message. */
export type Opening = Beginning & {
  readonly state: NewlySealed;
  readonly message: Record<string, unknown>;
};

/** `assertRoom` throws what `begin` refuses for the number of rooms. */
type Prepare = (roomId: string, assertRoom: () => Promise<void>) => Promise<Opening>;

/** The rooms in which users and the service meet. All state is in the database, so any instance can answer. */
@Injectable()
export class RoomsService {
  private readonly log = new Logger('Ceremonies');

  constructor(
    private readonly rooms: RoomsRepository,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
  ) {}

  /** Opens rooms in advance. @throws ApiError too_many_rooms */
  async open(
    environmentId: EnvironmentId,
    { userId, sessionId }: EndUserPrincipal,
    room: { type: RoomType; count: number; scheme: ShareScheme | null; walletId: string | null },
  ): Promise<string[]> {
    const { type, count, scheme, walletId } = room;
    const ids = Array.from({ length: count }, () => newId());
    await this.work.run(async (tx) => {
      await this.assertRoomFor(environmentId, userId, count, tx);
      await this.rooms.open(environmentId, { ids, userId, sessionId, type, scheme, walletId }, tx);
    });
    return ids;
  }

  /**
   * Begins a ceremony, in a room opened in advance if there is one.
   *
   * @param prepare slow, and run before the transaction; it seals its state to this room. Before it uses something up,
   *   it can assert that the user may have the room
   * @throws ApiError not_found when the requested room is not free, too_many_rooms, ceremonies_locked, conflict
   */
  async begin(environmentId: EnvironmentId, wanted: FreeRoom, prepare: Prepare): Promise<string> {
    if (wanted.roomId !== null && !isUuid(wanted.roomId)) throw notFound();
    const free = await this.rooms.takeFree(environmentId, wanted);
    if (wanted.roomId !== null && free === null) throw notFound();
    try {
      return await this.beginIn(environmentId, wanted, free, prepare);
    } catch (error) {
      if (free) await this.rooms.giveBack(environmentId, free);
      throw error;
    }
  }

  private async beginIn(
    environmentId: EnvironmentId,
    { userId, sessionId, type }: FreeRoom,
    free: string | null,
    prepare: Prepare,
  ): Promise<string> {
    const roomId = free ?? newId();
    const assertRoom = (tx: Transaction): Promise<void> => this.assertRoomFor(environmentId, userId, free ? 0 : 1, tx);
    const { state, message, ...beginning } = await prepare(roomId, () => this.work.run(assertRoom));
    await this.work.run(async (tx) => {
      await assertRoom(tx);
      if (!free) {
        const { scheme, walletId } = beginning;
        await this.rooms.open(environmentId, { ids: [roomId], userId, sessionId, type, scheme, walletId }, tx);
      }
      if (!(await this.rooms.begin(environmentId, { roomId, sessionId }, beginning, state, tx))) throw conflict();
      await this.rooms.add(environmentId, roomId, [{ sequence: 1, sender: 'server', message }], tx);
    });
    return roomId;
  }

  /**
   * The one expected message also takes the state that the service needs to answer. A second message, or one after a
   * crash, finds nothing.
   *
   * @throws ApiError not_found unless it is a room of the session, room_over
   */
  async take(environmentId: EnvironmentId, who: Participant, roomId: string, type: string): Promise<AnyTakenRoom> {
    const taken = await this.rooms.take(environmentId, roomId, who, type);
    if (taken) return taken;
    const room = await this.rooms.read(environmentId, roomId, who, 0);
    if (!room) throw notFound();
    throw roomOver({ payload: { state: room.state } });
  }

  /** Stores the accepted message and the service's answer, before the ceremony continues or ends. */
  async answer(
    environmentId: EnvironmentId,
    { id, round }: Pick<TakenRoom, 'id' | 'round'>,
    sent: Record<string, unknown>,
    message: Record<string, unknown>,
    tx: Transaction,
  ): Promise<void> {
    const messages: SentMessage[] = [
      { sequence: 2 * round, sender: 'client', message: sent },
      { sequence: 2 * round + 1, sender: 'server', message },
    ];
    await this.rooms.add(environmentId, id, messages, tx);
  }

  /** @throws ApiError room_over when it was ended meanwhile: then no answer is stored */
  async goOn<Room extends AnyTakenRoom>(
    environmentId: EnvironmentId,
    room: Room,
    { subject, state }: { subject: Room['subject']; state: NewlySealed },
    tx: Transaction,
  ): Promise<void> {
    const goesOn = await this.rooms.goOn(environmentId, room, subject, state, tx);
    if (!goesOn) throw roomOver({ payload: { state: 'aborted' } });
  }

  async done(environmentId: EnvironmentId, roomId: string, tx: Transaction): Promise<void> {
    await this.rooms.end(environmentId, roomId, { state: 'done' }, tx);
  }

  /**
   * Ends a ceremony that replaced the shares of a wallet, and all others for it: they started from shares that no
   * longer exist. The caller must hold the user.
   */
  async doneAlone(environmentId: EnvironmentId, who: Participant, room: TakenRoom, tx: Transaction): Promise<void> {
    await this.done(environmentId, room.id, tx);
    const { id, walletId } = room;
    await this.rooms.endOthers(environmentId, { id, walletId, userId: who.userId }, tx);
  }

  /** Aborts a ceremony for everybody in the room, and warns the operator if the user may begin no other because of it. */
  async abort(environmentId: EnvironmentId, { userId }: Participant, roomId: string, reason: string): Promise<void> {
    await this.work.run(async (tx) => {
      const before = await this.rooms.countHeld(environmentId, userId, tx);
      await this.rooms.end(environmentId, roomId, { state: 'aborted', failure: reason }, tx);
      const held = before && (await this.rooms.countHeld(environmentId, userId, tx));
      if (held && held.aborted > before.aborted && held.aborted >= MAX_ABORTED)
        this.log.warn(`No more ceremonies for environment=${environmentId} user=${userId}: too many were aborted.`);
    });
  }

  /** Messages after a given one, at once or as soon as there are any. @throws ApiError not_found */
  async read(
    environmentId: EnvironmentId,
    who: Participant,
    roomId: string,
    { after = 0, waitSeconds = 0 }: ReadRoomQuery,
  ): Promise<RoomMessages> {
    const until = this.clock.timestamp() + Math.min(waitSeconds, MAX_WAIT_SECONDS) * 1_000;
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      const room = await this.rooms.read(environmentId, roomId, who, after);
      if (!room) throw notFound();
      if (!isWorthWaiting(room) || this.clock.timestamp() >= until || this.jobs.isStopping) {
        return { ...room, messages: [...room.messages] };
      }
      await sleep(pauseMs);
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
  }

  private async assertRoomFor(environmentId: EnvironmentId, userId: string, count: number, tx: Transaction) {
    const held = await this.rooms.countHeld(environmentId, userId, tx);
    if (!held) throw notFound();
    if (held.aborted >= MAX_ABORTED) throw ceremoniesLocked();
    if (held.open + count > MAX_OPEN_ROOMS) throw tooManyRooms();
  }
}

const isWorthWaiting = ({ messages, state }: RoomView): boolean =>
  messages.length === 0 && (state === 'open' || state === 'running');
