import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../../src/database/index.js';
import { MAX_ABORTED, NOBODYS_FAULT, RoomsRepository, type Beginning } from '../../src/waas/rooms/rooms.repository.js';
import { RoomsService } from '../../src/waas/rooms/rooms.service.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

interface Columns {
  userId?: string;
  sessionId?: string;
  type?: 'threshold' | 'full';
  scheme?: string | null;
  walletId?: string | null;
  kind?: string | null;
  state?: 'open' | 'running' | 'done' | 'aborted';
  round?: number;
  isReleased?: boolean;
  isSealed?: boolean;
  failure?: string;
  /** Until it expires. */
  seconds?: number;
}

const SEALED = { sealed: Buffer.from('state'), masterKeyId: 'k' };
const RUNNING = { state: 'running', kind: 'sign', isSealed: true } as const;

describe('a room in which a user and the service meet', () => {
  let test: TestApp;
  let world: World;
  let rooms: RoomsRepository;
  let here: EnvironmentId;
  let elsewhere: EnvironmentId;
  let userId: string;
  let stranger: string;
  let sessionId: string;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    world = await World.create(test);
    [here, elsewhere] = [world.environmentId, world.ids.environments.live];
    rooms = test.app.get(RoomsRepository, { strict: false });
  });
  beforeEach(async () => {
    sessionId = randomUUID();
    [userId, stranger] = await Promise.all([someone(), someone()]);
  });
  afterAll(() => test.close());

  async function someone(): Promise<string> {
    const made = { email: newEmail() };
    const { body } = await world.api.post<{ user: { id: string } }>(world.path('/users'), made, { expect: 201 });
    return body.user.id;
  }

  async function room(columns: Columns = {}): Promise<string> {
    const { type = 'threshold', state = 'open', kind = null, scheme = null, walletId = null, round = 0 } = columns;
    const { isReleased = false, isSealed = false, failure = null, seconds = 60 } = columns;
    const id = randomUUID();
    await rowsOf(
      test,
      `INSERT INTO ceremony_rooms (environment_id, id, user_id, session_id, type, scheme, wallet_id, kind, state, round,
         subject, sealed_state, failure, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, jsonb_build_object('released', $11::boolean), $12, $13,
         now() + $14 * interval '1 second')`,
      [
        ...[here, id, columns.userId ?? userId, columns.sessionId ?? sessionId, type, scheme, walletId, kind, state],
        ...[round, isReleased, isSealed ? SEALED.sealed : null, failure, seconds],
      ],
    );
    return id;
  }

  const inWork = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => test.app.get(UnitOfWork).run(work);
  const statesOf = async (...ids: string[]): Promise<string[]> => {
    const rows = await rowsOf<{ id: string; state: string }>(
      test,
      'SELECT id, state FROM ceremony_rooms WHERE environment_id = $1',
      [here],
    );
    return ids.map((id) => rows.find((row) => row.id === id)!.state);
  };

  it('that was opened ahead is taken for its session, type, wallet and scheme, until it expires, and given back', async () => {
    const walletId = randomUUID();
    const wanted = { userId, sessionId, type: 'threshold', roomId: null, walletId, scheme: 'TWO_OF_TWO' } as const;
    const fitting = { walletId, scheme: 'TWO_OF_TWO' };
    for (const other of [
      { ...fitting, sessionId: randomUUID() },
      { ...fitting, userId: stranger },
      { ...fitting, type: 'full' },
      { ...fitting, seconds: 0 },
      { ...fitting, state: 'running' },
      { ...fitting, walletId: randomUUID() },
      { ...fitting, scheme: 'TWO_OF_THREE' },
    ] as const)
      await room(other);
    expect(await rooms.takeFree(here, wanted)).toBeNull();
    const free = await room({ scheme: 'TWO_OF_TWO' });
    expect(await rooms.takeFree(elsewhere, wanted)).toBeNull();
    const second = await room(fitting);
    expect(await rooms.takeFree(here, wanted)).toBe(free);
    expect(await rooms.takeFree(here, { ...wanted, roomId: free })).toBeNull();
    expect(await rooms.takeFree(here, { ...wanted, roomId: second })).toBe(second);
    expect(await rooms.takeFree(here, wanted)).toBeNull();
    await rooms.giveBack(elsewhere, free);
    expect(await rooms.takeFree(here, wanted)).toBeNull();
    await rooms.giveBack(here, free);
    expect(await rooms.takeFree(here, wanted)).toBe(free);
  });

  it('is for one ceremony, of the session that opened it, while it is open', async () => {
    const beginning = { kind: 'sign', walletId: randomUUID(), scheme: 'TWO_OF_TWO', subject: {}, digest: null };
    const begin = (roomId: string, of = sessionId, at = here) =>
      inWork((tx) => rooms.begin(at, { roomId, sessionId: of }, beginning as unknown as Beginning, SEALED, tx));
    const [open, expired, done] = [await room(), await room({ seconds: 0 }), await room({ state: 'done' })];
    expect([await begin(open, randomUUID()), await begin(open, sessionId, elsewhere)]).toEqual([false, false]);
    expect([await begin(expired), await begin(done)]).toEqual([false, false]);
    expect([await begin(open), await begin(open)]).toEqual([true, false]);
    await rooms.giveBack(here, open);
    expect(await statesOf(open)).toEqual(['running']);
  });

  it('takes the one message that comes next, from the session that opened it, while the service has its state', async () => {
    const who = { userId, sessionId };
    const take = (id: string, type = 'sign.shares', by = who, at = here) => rooms.take(at, id, by, type);
    for (const other of [{ seconds: 0 }, { isSealed: false }, { state: 'done' }, { round: 1 }, { kind: 'keygen' }]) {
      expect([other, await take(await room({ ...RUNNING, ...(other as Columns) }))]).toEqual([other, null]);
    }
    const id = await room(RUNNING);
    expect(await take(id, 'sign.shares', { ...who, userId: stranger })).toBeNull();
    expect(await take(id, 'sign.shares', { ...who, sessionId: randomUUID() })).toBeNull();
    expect(await take(id, 'sign.shares', who, elsewhere)).toBeNull();
    expect(await take(id, 'keygen.shares')).toBeNull();
    expect(await take(id)).toMatchObject({ id, round: 1, sealedState: SEALED.sealed });
    expect(await take(id)).toBeNull();
  });

  it('goes on in the round that it is in, and ends once', async () => {
    const id = await room({ ...RUNNING, round: 1 });
    const goOn = (round: number, at = here) =>
      inWork((tx) => rooms.goOn(at, { id, round }, {} as Beginning['subject'], SEALED, tx));
    expect([await goOn(0), await goOn(2), await goOn(1, elsewhere), await goOn(1)]).toEqual([
      false,
      false,
      false,
      true,
    ]);
    const end = (state: 'done' | 'aborted', at = here) => inWork((tx) => rooms.end(at, id, { state }, tx));
    await end('done', elsewhere);
    expect(await statesOf(id)).toEqual(['running']);
    await end('done');
    await end('aborted');
    expect([await statesOf(id), await goOn(1)]).toEqual([['done'], false]);
  });

  it('ends with another one that has replaced the shares of its wallet, and a signature in it does not', async () => {
    const walletId = randomUUID();
    const refresh = { ...RUNNING, kind: 'refresh', walletId };
    const id = await room(refresh);
    const ending = [await room(refresh), await room({ ...refresh, kind: 'reshare' })];
    const staying = [
      id,
      await room({ ...refresh, kind: 'sign' }),
      await room({ ...refresh, walletId: randomUUID() }),
      await room({ ...refresh, userId: stranger }),
    ];
    const open = await room({ walletId });
    await inWork((tx) => rooms.endOthers(elsewhere, { id, walletId, userId }, tx));
    expect(new Set(await statesOf(...ending, ...staying))).toEqual(new Set(['running']));
    await inWork((tx) => rooms.endOthers(here, { id, walletId, userId }, tx));
    expect(new Set(await statesOf(...ending))).toEqual(new Set(['aborted']));
    expect(new Set(await statesOf(...staying))).toEqual(new Set(['running']));
    expect(await statesOf(open)).toEqual(['open']);
  });

  it('counts as unanswered when shares were released in it and its time is over, a signature at work a minute later', async () => {
    const released = { ...RUNNING, isReleased: true };
    const staying = [
      await room(released),
      await room({ ...released, isReleased: false, seconds: -1 }),
      await room({ ...released, seconds: -3 * 3600 }),
      await room({ ...released, isSealed: false, seconds: -50 }),
    ];
    const due = [await room({ ...released, isSealed: false, seconds: -70 }), await room({ ...released, seconds: -60 })];
    for (const id of due) {
      expect(await inWork((tx) => rooms.takeUnanswered(tx))).toMatchObject({ environmentId: here, userId });
      expect(await statesOf(id)).toEqual(['aborted']);
    }
    expect(await inWork((tx) => rooms.takeUnanswered(tx))).toBeNull();
    expect(new Set(await statesOf(...staying))).toEqual(new Set(['running']));
  });

  it('counts against its user for an hour when it was aborted or left unanswered, unless that was nobody’s fault', async () => {
    const aborted = { state: 'aborted', failure: 'a share is not right' } as const;
    await room(aborted);
    await room({ ...aborted, seconds: -3_500 });
    await room({ ...RUNNING, isReleased: true, seconds: -1 });
    await room({ ...aborted, seconds: -3_700 });
    await room({ ...aborted, userId: stranger });
    for (const failure of NOBODYS_FAULT) await room({ ...aborted, failure });
    await room({ ...RUNNING, seconds: -1 });
    const counted = (at = here) => inWork((tx) => rooms.countHeld(at, userId, tx));
    expect(await counted()).toEqual({ open: 0, aborted: 3 });
    await room();
    await room(RUNNING);
    await room({ seconds: 0 });
    expect([await counted(), await counted(elsewhere)]).toEqual([{ open: 2, aborted: 3 }, null]);
    expect(await inWork((tx) => rooms.forgive(here, userId, tx))).toBe(3);
    expect([await counted(), await inWork((tx) => rooms.countHeld(here, stranger, tx))]).toEqual([
      { open: 2, aborted: 0 },
      { open: 0, aborted: 1 },
    ]);
  });

  it('is the last of its user for the operator, too, only if it counts', async () => {
    const ceremonies = test.app.get(RoomsService, { strict: false });
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const abort = async (reason: string, id?: string): Promise<unknown[]> => {
      await ceremonies.abort(here, { userId, sessionId }, id ?? (await room(RUNNING)), reason);
      return warned.mock.calls.flat();
    };
    const over = await room({ state: 'aborted', failure: NOBODYS_FAULT[1] });
    for (let aborted = 1; aborted < MAX_ABORTED; aborted++) expect(await abort('a share is not right')).toEqual([]);
    for (const reason of NOBODYS_FAULT) expect(await abort(reason)).toEqual([]);
    expect(await abort('a share is not right', over)).toEqual([]);
    const told = `No more ceremonies for environment=${here} user=${userId}: too many were aborted.`;
    expect(await abort('a share is not right')).toEqual([told]);
    warned.mockRestore();
  });
});
