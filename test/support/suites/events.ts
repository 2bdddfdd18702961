import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { TestApp } from '../app.js';
import { rowsOf } from '../rows.js';
import { playCommand, promoteSigningKey } from '../surface/commands.js';
import { RawClient } from '../surface/raw-client.js';
import { Tenant } from '../surface/tenant.js';
import { validCall } from '../surface/valid-call.js';
import { hasSucceeded } from '../surface/verdict.js';
import type { Installation } from './installation.js';

const NEXT_DAY = 'signing-keys rotate';
/** The service itself ends sessions after a user has changed a sign-in credential. */
const OF_THE_SERVICE = 'user.session.revoked';

interface Published {
  id: string;
  name: string;
  /** The user who caused it, if any. */
  userId: string | null;
}

/** Runs every operation, scenario and command, and checks the events published meanwhile. */
export function eventsSuite({ operations, surface, commands, events, start }: Installation): void {
  const changing = operations.filter(({ method }) => method !== 'GET');
  let test: TestApp;
  /** The events published by each operation and scenario. */
  const told = new Map<string, string[]>();
  const statuses = new Map<string, number>();
  /** Events that do not say who caused them. */
  const nameless = new Map<string, string[]>();

  beforeAll(async () => {
    test = await start();
    const tenant = await Tenant.create(test, surface);
    const client = new RawClient(test.url);
    const read = () => rowsOf<Published>(test, 'SELECT id, name, user_id AS "userId" FROM events');
    const published = async (work: () => Promise<unknown>): Promise<Published[]> => {
      const known = new Set((await read()).map(({ id }) => id));
      await work();
      return (await read()).filter(({ id }) => !known.has(id));
    };
    const during = async (work: () => Promise<unknown>): Promise<string[]> =>
      (await published(work)).map(({ name }) => name);
    for (const operation of changing) {
      const request = await validCall(tenant, operation);
      const emitted = await published(async () => statuses.set(operation.id, (await client.send(request)).status));
      told.set(
        operation.id,
        emitted.map(({ name }) => name),
      );
      nameless.set(
        operation.id,
        emitted.filter(({ userId }) => userId === null).map(({ name }) => name),
      );
    }
    for (const [name, play] of Object.entries(surface.scenarios)) told.set(name, await during(() => play(tenant)));
    const muted = [jest.spyOn(console, 'log'), jest.spyOn(console, 'error')];
    for (const spy of muted) spy.mockImplementation(() => undefined);
    for (const words of commands) told.set(words, await during(() => playCommand(tenant, words)));
    if (commands.includes(NEXT_DAY)) told.set('a day later', await during(() => promoteSigningKey(tenant)));
    for (const spy of muted) spy.mockRestore();
    client.close();
    await tenant.close();
  }, 180_000);
  afterAll(() => test.close());

  it.each(changing.map((operation) => [operation.id, operation] as const))(
    '%s publishes what it documents, or is known to publish nothing',
    (id, operation) => {
      expect([id, statuses.get(id), hasSucceeded(operation, statuses.get(id)!)]).toEqual([id, statuses.get(id), true]);
      const emitted = told.get(id) ?? [];
      expect(emitted.filter((name) => !operation.events.includes(name))).toEqual([]);
      expect(emitted.length > 0).toBe(operation.surface.untold === undefined);
      const left = operation.events.filter((name) => !emitted.includes(name));
      expect(left).toEqual(Object.keys(operation.surface.toldSometimes ?? {}));
    },
  );

  const ofUsers = changing.filter(({ audience }) => audience === 'end-user');
  if (ofUsers.length > 0) {
    it.each(ofUsers.map(({ id }) => id))('%s names the user who caused its events', (id) => {
      expect(nameless.get(id)!.filter((name) => name !== OF_THE_SERVICE)).toEqual([]);
    });
  }

  if (commands.length > 0) {
    it.each(commands)('the command %s publishes something, or is known to publish nothing', (words) => {
      expect(told.get(words)!.length > 0).toBe(surface.commands[words]?.untold === undefined);
    });
  }

  it('publishes every event that is documented, and none that is not', () => {
    expect([...new Set([...told.values()].flat())].sort()).toEqual([...events].sort());
  });
}
