import { Injectable } from '@nestjs/common';
import type { NewlySealed, ShareScheme } from '../../custody/index.js';
import {
  Database,
  dueRowsStatement,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import type { CeremonyRoom, RoomState, RoomType } from './room.entity.js';
import type {
  CeremonyAbout,
  CeremonyKind,
  RoomSubject,
  SplitCeremonyAbout,
  SplitKind,
  SplitSigningSubject,
} from './room-subjects.js';

/** Lifetime of a room, from its opening, and again from the beginning of its ceremony. */
export const ROOM_SECONDS = 60;
/** Open rooms per user. */
export const MAX_OPEN_ROOMS = 20;
/** After this many aborted ceremonies within an hour, the user may not begin another. */
export const MAX_ABORTED = 10;

/** Failure of a ceremony in which a device got the service's shares and sent no signature. */
const UNANSWERED = 'the shares were released, and no signature came';

/** Failures not caused by the user's messages. */
export const NOBODYS_FAULT = ['the service failed', 'the service refused'] as const;

const LOCK_USER = scopedStatement(
  'ceremonyRooms.lockUser',
  'SELECT id FROM users WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE',
);

const OF_LAST_HOUR = "environment_id = $1 AND user_id = $2 AND expires_at > now() - interval '1 hour'";
/** Aborted because of what somebody sent, or about to be; `$3` are the failures that are nobody's fault. */
const COUNTS = `forgiven_at IS NULL AND (state = 'aborted' AND failure <> ALL ($3::text[])
     OR state = 'running' AND subject @> '{"released": true}' AND expires_at <= now())`;
const COUNT = scopedStatement(
  'ceremonyRooms.count',
  `SELECT count(*) FILTER (WHERE state IN ('open', 'running') AND expires_at > now())::int AS open,
     count(*) FILTER (WHERE ${COUNTS})::int AS aborted
   FROM ceremony_rooms WHERE ${OF_LAST_HOUR}`,
);
const FORGIVE = scopedStatement(
  'ceremonyRooms.forgive',
  `UPDATE ceremony_rooms SET forgiven_at = now() WHERE ${OF_LAST_HOUR} AND ${COUNTS}`,
);

const OPEN = scopedStatement(
  'ceremonyRooms.insert',
  `INSERT INTO ceremony_rooms (environment_id, id, user_id, session_id, type, scheme, wallet_id, state, expires_at)
   SELECT $1, r.id, $3, $4, $5, $6, $7, 'open', now() + make_interval(secs => ${ROOM_SECONDS})
   FROM unnest($2::uuid[]) AS r (id)`,
);

// Running without a kind while its ceremony is prepared: each of several that begin at once takes a room of its own.
const TAKE_FREE = scopedStatement(
  'ceremonyRooms.takeFree',
  `UPDATE ceremony_rooms SET state = 'running' WHERE environment_id = $1 AND id = (
     SELECT id FROM ceremony_rooms
     WHERE environment_id = $1 AND user_id = $2 AND session_id = $3 AND state = 'open' AND expires_at > now()
       AND type = $4 AND ($5::uuid IS NULL OR id = $5) AND (wallet_id IS NULL OR wallet_id = $6)
       AND ($7::text IS NULL OR scheme = $7)
     ORDER BY created_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
   RETURNING id`,
);

const GIVE_BACK = scopedStatement(
  'ceremonyRooms.restore',
  `UPDATE ceremony_rooms SET state = 'open' WHERE environment_id = $1 AND id = $2 AND state = 'running' AND kind IS NULL`,
);

const BEGIN = scopedStatement(
  'ceremonyRooms.begin',
  `UPDATE ceremony_rooms SET state = 'running', kind = $4, wallet_id = $5, scheme = $6, subject = $7, digest = $8,
     sealed_state = $9, master_key_id = $10, expires_at = now() + make_interval(secs => ${ROOM_SECONDS})
   WHERE environment_id = $1 AND id = $2 AND session_id = $3 AND state IN ('open', 'running') AND kind IS NULL
     AND expires_at > now()`,
);

// Taking a message also takes the service's state for the next one, so that a second caller finds neither.
const TAKE = scopedStatement(
  'ceremonyRooms.take',
  `WITH was AS (
     SELECT id, sealed_state FROM ceremony_rooms
     WHERE environment_id = $1 AND id = $2 AND user_id = $3 AND session_id = $4 AND state = 'running'
       AND sealed_state IS NOT NULL AND expires_at > now()
       AND (kind, round, $5::text) IN (
         ('keygen', 0, 'keygen.shares'), ('keygen', 1, 'sign.shares'), ('sign', 0, 'sign.shares'),
         ('keygen', 0, 'split.deal'), ('sign', 0, 'split.key'), ('sign', 1, 'split.signature'),
         ('refresh', 0, 'reshare.shares'), ('refresh', 1, 'sign.shares'),
         ('reshare', 0, 'reshare.shares'), ('reshare', 1, 'sign.shares'))
     FOR NO KEY UPDATE)
   UPDATE ceremony_rooms r SET round = r.round + 1, sealed_state = NULL, master_key_id = NULL
   FROM was WHERE r.environment_id = $1 AND r.id = was.id
   RETURNING r.id, r.kind, r.scheme, r.wallet_id AS "walletId", r.round, r.subject, r.digest,
     was.sealed_state AS "sealedState"`,
);

const GO_ON = scopedStatement(
  'ceremonyRooms.updateState',
  `UPDATE ceremony_rooms SET sealed_state = $4, master_key_id = $5, subject = $6
   WHERE environment_id = $1 AND id = $2 AND state = 'running' AND round = $3`,
);

const END = scopedStatement(
  'ceremonyRooms.end',
  `UPDATE ceremony_rooms SET state = $3, failure = $4, ended_at = now(), sealed_state = NULL, master_key_id = NULL
   WHERE environment_id = $1 AND id = $2 AND state = 'running'`,
);

// Locked in id order, as required of every transaction that locks several.
const END_OTHERS = scopedStatement(
  'ceremonyRooms.endOthers',
  `WITH others AS (
     SELECT id FROM ceremony_rooms
     WHERE environment_id = $1 AND user_id = $2 AND wallet_id = $3 AND id <> $4 AND kind IN ('refresh', 'reshare')
       AND state = 'running'
     ORDER BY id FOR NO KEY UPDATE)
   UPDATE ceremony_rooms r SET state = 'aborted', failure = $5, ended_at = now(), sealed_state = NULL, master_key_id = NULL
   FROM others o WHERE r.environment_id = $1 AND r.id = o.id`,
);

// Without sealed state, a signature is being verified.
const TAKE_UNANSWERED = dueRowsStatement(
  'ceremonyRooms.takeUnanswered',
  `WITH due AS MATERIALIZED (
     SELECT environment_id, id FROM ceremony_rooms
     WHERE expires_at BETWEEN now() - interval '2 hours' AND now() AND state = 'running'
       AND subject @> '{"released": true}' AND (sealed_state IS NOT NULL OR expires_at < now() - interval '1 minute')
     ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   UPDATE ceremony_rooms r SET state = 'aborted', failure = $1, ended_at = now(), sealed_state = NULL, master_key_id = NULL
   FROM due WHERE r.environment_id = due.environment_id AND r.id = due.id
   RETURNING r.environment_id AS "environmentId", r.user_id AS "userId", r.wallet_id AS "walletId", r.subject, r.digest`,
);

const ADD = scopedStatement(
  'ceremonyMessages.insert',
  `INSERT INTO ceremony_messages (environment_id, room_id, sequence, sender, message)
   SELECT $1, $2, m.sequence, m.sender, m.message
   FROM unnest($3::int[], $4::text[], $5::jsonb[]) AS m (sequence, sender, message)`,
);

const READ = scopedStatement(
  'ceremonyRooms.read',
  `SELECT r.kind, CASE WHEN r.state IN ('open', 'running') AND r.expires_at <= now() THEN 'expired' ELSE r.state END AS state,
     r.failure, r.expires_at AS "expiresAt", coalesce((
       SELECT json_agg(json_build_object('sequence', m.sequence, 'sender', m.sender, 'message', m.message)
         ORDER BY m.sequence)
       FROM ceremony_messages m
       WHERE m.environment_id = r.environment_id AND m.room_id = r.id AND m.sequence > $5), '[]'::json) AS messages
   FROM ceremony_rooms r
   WHERE r.environment_id = $1 AND r.id = $2 AND r.user_id = $3 AND r.session_id = $4`,
);

/** The user and session that take part. */
export interface Participant {
  readonly userId: string;
  readonly sessionId: string;
}

export interface NewRooms extends Participant {
  readonly ids: readonly string[];
  readonly type: RoomType;
  readonly scheme: ShareScheme | null;
  readonly walletId: string | null;
}

/** The criteria for finding a free room. */
export interface FreeRoom extends Participant {
  readonly type: RoomType;
  readonly roomId: string | null;
  readonly walletId: string | null;
  readonly scheme: ShareScheme | null;
}

export type Beginning = (CeremonyAbout | SplitCeremonyAbout) & {
  readonly walletId: string;
  readonly scheme: ShareScheme;
  readonly digest: Buffer | null;
};

type Taken = Pick<CeremonyRoom, 'id' | 'round' | 'digest'> & {
  readonly scheme: ShareScheme;
  readonly walletId: string;
  readonly sealedState: Buffer;
};

export type TakenRoom<Kinds extends CeremonyKind = CeremonyKind> = Taken & CeremonyAbout<Kinds>;
/** The same for a split key. */
export type TakenSplitRoom<Kinds extends SplitKind = SplitKind> = Taken & SplitCeremonyAbout<Kinds>;
export type AnyTakenRoom = TakenRoom | TakenSplitRoom;

export const isSplitRoom = (room: AnyTakenRoom): room is TakenSplitRoom => room.subject.protocol === 'SHAMIR';

/** A ceremony that released shares and was not finished in time. */
export interface UnansweredRoom {
  readonly environmentId: EnvironmentId;
  readonly userId: string;
  readonly walletId: string;
  readonly subject: SplitSigningSubject;
  readonly digest: Buffer;
}

export interface SentMessage {
  readonly sequence: number;
  readonly sender: 'client' | 'server';
  readonly message: Record<string, unknown>;
}

export interface RoomView {
  readonly kind: CeremonyKind | null;
  readonly state: RoomState | 'expired';
  readonly failure: string | null;
  readonly expiresAt: Date;
  readonly messages: readonly SentMessage[];
}

@Injectable()
export class RoomsRepository {
  constructor(private readonly database: Database) {}

  /** Locks the user's rooms against opening until the end of the transaction. Null for an unknown user. */
  async countHeld(
    environmentId: EnvironmentId,
    userId: string,
    tx: Transaction,
  ): Promise<{ open: number; aborted: number } | null> {
    if ((await tx.rows(LOCK_USER, [environmentId, userId])).length === 0) return null;
    return (await tx.rows<{ open: number; aborted: number }>(COUNT, [environmentId, userId, NOBODYS_FAULT]))[0]!;
  }

  /** Returns how many counted until now. The caller must lock the user before it ends the user's rooms. */
  async forgive(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<number> {
    await tx.rows(LOCK_USER, [environmentId, userId]);
    return tx.execute(FORGIVE, [environmentId, userId, NOBODYS_FAULT]);
  }

  async open(environmentId: EnvironmentId, rooms: NewRooms, tx: Transaction): Promise<void> {
    const { ids, userId, sessionId, type, scheme, walletId } = rooms;
    await tx.execute(OPEN, [environmentId, ids, userId, sessionId, type, scheme, walletId]);
  }

  /** A room opened in advance that has no ceremony yet, and that no other call gets until it is given back. */
  async takeFree(environmentId: EnvironmentId, room: FreeRoom): Promise<string | null> {
    const { userId, sessionId, type, roomId, walletId, scheme } = room;
    const values = [environmentId, userId, sessionId, type, roomId, walletId, scheme];
    return (await this.database.rows<{ id: string }>(TAKE_FREE, values))[0]?.id ?? null;
  }

  /** For the call that took it, when no ceremony begins in it. */
  async giveBack(environmentId: EnvironmentId, roomId: string): Promise<void> {
    await this.database.execute(GIVE_BACK, [environmentId, roomId]);
  }

  /** True for the one ceremony that gets the room. */
  async begin(
    environmentId: EnvironmentId,
    { roomId, sessionId }: { roomId: string; sessionId: string },
    { kind, walletId, scheme, subject, digest }: Beginning,
    state: NewlySealed,
    tx: Transaction,
  ): Promise<boolean> {
    const about = [kind, walletId, scheme, JSON.stringify(subject), digest];
    const values = [environmentId, roomId, sessionId, ...about, state.sealed, state.masterKeyId];
    return (await tx.execute(BEGIN, values)) === 1;
  }

  /** The state needed to continue, for the one message of the expected type; null for all others. */
  async take(
    environmentId: EnvironmentId,
    roomId: string,
    { userId, sessionId }: Participant,
    type: string,
  ): Promise<AnyTakenRoom | null> {
    const values = [environmentId, roomId, userId, sessionId, type];
    return (await this.database.rows<AnyTakenRoom>(TAKE, values))[0] ?? null;
  }

  /** False when the room was ended meanwhile. */
  async goOn(
    environmentId: EnvironmentId,
    { id, round }: Pick<TakenRoom, 'id' | 'round'>,
    subject: RoomSubject,
    { sealed, masterKeyId }: NewlySealed,
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.execute(GO_ON, [environmentId, id, round, sealed, masterKeyId, JSON.stringify(subject)])) === 1;
  }

  async end(
    environmentId: EnvironmentId,
    roomId: string,
    { state, failure = null }: { state: 'done' | 'aborted'; failure?: string | null },
    tx: Transaction,
  ): Promise<void> {
    await tx.execute(END, [environmentId, roomId, state, failure]);
  }

  /** Ends all other ceremonies that replace the shares of a wallet, and deletes their pending shares. */
  async endOthers(
    environmentId: EnvironmentId,
    { id, walletId, userId }: Pick<TakenRoom, 'id' | 'walletId'> & { readonly userId: string },
    tx: Transaction,
  ): Promise<void> {
    await tx.execute(END_OTHERS, [environmentId, userId, walletId, id, NOBODYS_FAULT[1]]);
  }

  /** Ends one of them, in any environment; null when there is none. */
  async takeUnanswered(tx: Transaction): Promise<UnansweredRoom | null> {
    return (await tx.rows<UnansweredRoom>(TAKE_UNANSWERED, [UNANSWERED]))[0] ?? null;
  }

  async add(
    environmentId: EnvironmentId,
    roomId: string,
    messages: readonly SentMessage[],
    tx: Transaction,
  ): Promise<void> {
    await tx.execute(ADD, [
      environmentId,
      roomId,
      messages.map(({ sequence }) => sequence),
      messages.map(({ sender }) => sender),
      messages.map(({ message }) => JSON.stringify(message)),
    ]);
  }

  /** The room with the messages after a sequence number; null unless it belongs to this user and session. */
  async read(
    environmentId: EnvironmentId,
    roomId: string,
    { userId, sessionId }: Participant,
    after: number,
  ): Promise<RoomView | null> {
    const values = [environmentId, roomId, userId, sessionId, after];
    return (await this.database.rows<RoomView>(READ, values))[0] ?? null;
  }
}
