import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { COMMANDS } from '../src/cli/commands.js';
import { eventRegistry } from '../src/database/index.js';
import { startTestApp, type TestApp } from './support/app.js';
import { rowsOf } from './support/rows.js';
import { playCommand, promoteSigningKey } from './support/surface/commands.js';
import { apiDocument, operations } from './support/surface/operations.js';
import { RawClient } from './support/surface/raw-client.js';
import { serviceSurface } from './support/surface/registry.js';
import { Tenant } from './support/surface/tenant.js';
import { validCall } from './support/surface/valid-call.js';

const changing = operations.filter(({ method }) => method !== 'GET');
const documented = Object.keys((apiDocument as { webhooks?: object }).webhooks ?? {});

describe('the events of the service', () => {
  let test: TestApp;
  /** What each operation told when it was called, and each scenario when it was played. */
  const told = new Map<string, string[]>();
  const statuses = new Map<string, number>();

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    const tenant = await Tenant.create(test);
    const client = new RawClient(test.url);
    const names = async (): Promise<Map<string, string>> => {
      const rows = await rowsOf<{ id: string; name: string }>(test, 'SELECT id, name FROM events');
      return new Map(rows.map(({ id, name }) => [id, name]));
    };
    const during = async (work: () => Promise<unknown>): Promise<string[]> => {
      const known = await names();
      await work();
      return [...(await names())].flatMap(([id, name]) => (known.has(id) ? [] : [name]));
    };
    for (const operation of changing) {
      const request = await validCall(tenant, operation);
      const fitting = await operation.surface.fittingRecords?.(tenant);
      if (fitting) request.path = tenant.pathOf(operation, fitting);
      const emitted = await during(async () => statuses.set(operation.id, (await client.send(request)).status));
      told.set(operation.id, emitted);
    }
    for (const [name, play] of Object.entries(serviceSurface.scenarios)) {
      told.set(name, await during(() => play(tenant)));
    }
    const muted = [jest.spyOn(console, 'log'), jest.spyOn(console, 'error')];
    for (const spy of muted) spy.mockImplementation(() => undefined);
    for (const { words } of COMMANDS) told.set(words, await during(() => playCommand(tenant, words)));
    told.set('signing-keys rotate, a day later', await during(() => promoteSigningKey(tenant)));
    for (const spy of muted) spy.mockRestore();
    client.close();
    await tenant.close();
  }, 180_000);
  afterAll(() => test.close());

  it.each(changing.map((operation) => [operation.id, operation] as const))(
    '%s publishes what it documents, or is known to publish nothing',
    (id, { events, surface }) => {
      expect(statuses.get(id)).toBeLessThan(300);
      const emitted = told.get(id) ?? [];
      expect(emitted.filter((name) => !events.includes(name))).toEqual([]);
      expect(emitted.length > 0).toBe(surface.untold === undefined);
      const left = events.filter((name) => !emitted.includes(name));
      expect(left).toEqual(Object.keys(surface.toldSometimes ?? {}));
    },
  );

  it.each(COMMANDS.map(({ words }) => words))(
    'the command %s publishes something, or is known to publish nothing',
    (words) => {
      expect(told.get(words)!.length > 0).toBe(serviceSurface.commands[words]?.untold === undefined);
    },
  );

  it('that are documented are told, and those that are told are documented', () => {
    expect([...new Set([...told.values()].flat())].sort()).toEqual(documented.sort());
  });

  it('are documented as they are registered', () => {
    expect(documented.sort()).toEqual(eventRegistry().map(({ name }) => name));
  });

  it('are documented at operations under names that exist', () => {
    expect(
      [...new Set(operations.flatMap(({ events }) => events))].filter((name) => !documented.includes(name)),
    ).toEqual([]);
  });
});
