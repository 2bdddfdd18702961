import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { COMMANDS } from '../src/cli/commands.js';
import { eventRegistry } from '../src/database/index.js';
import { startTestApp, type TestApp } from './support/app.js';
import { listOperations } from './support/contract/openapi-document.js';
import { rowsOf } from './support/rows.js';
import { EVENT_SCENARIOS, FITTING_RECORDS, playCommand, promoteSigningKey } from './support/surface/event-scenarios.js';
import { apiDocument, operations } from './support/surface/operations.js';
import { RawClient } from './support/surface/raw-client.js';
import { Tenant } from './support/surface/tenant.js';
import { TOLD_SOMETIMES, UNTOLD, UNTOLD_COMMANDS } from './support/surface/untold.js';
import { validCall } from './support/surface/valid-call.js';

const changing = operations.filter(({ method }) => method !== 'GET');
const documentedOf = new Map(
  listOperations(apiDocument).map(({ operationId, operation }) => [
    operationId,
    ((operation as { 'x-events'?: string[] })['x-events'] ?? []) as readonly string[],
  ]),
);
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
      const fitting = await FITTING_RECORDS[operation.id]?.(tenant);
      if (fitting) request.path = tenant.pathOf(operation, fitting);
      const emitted = await during(async () => statuses.set(operation.id, (await client.send(request)).status));
      told.set(operation.id, emitted);
    }
    for (const [name, play] of Object.entries(EVENT_SCENARIOS)) {
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

  it.each(changing.map(({ id }) => id))('%s tells what it documents, or is known to tell nothing', (id) => {
    expect(statuses.get(id)).toBeLessThan(300);
    const emitted = told.get(id) ?? [];
    expect(emitted.filter((name) => !documentedOf.get(id)?.includes(name))).toEqual([]);
    expect(emitted.length > 0).toBe(!(id in UNTOLD));
    const left = documentedOf.get(id)?.filter((name) => !emitted.includes(name)) ?? [];
    const known = Object.keys(TOLD_SOMETIMES).filter((each) => each.startsWith(`${id} `));
    expect(left.map((name) => `${id} ${name}`)).toEqual(known);
  });

  it.each(COMMANDS.map(({ words }) => words))(
    'the command %s tells something, or is known to tell nothing',
    (words) => {
      expect(told.get(words)!.length > 0).toBe(!(words in UNTOLD_COMMANDS));
    },
  );

  it('that are documented are told, and those that are told are documented', () => {
    expect([...new Set([...told.values()].flat())].sort()).toEqual(documented.sort());
  });

  it('are documented as they are registered', () => {
    expect(documented.sort()).toEqual(eventRegistry().map(({ name }) => name));
  });

  it('are documented at operations under names that exist', () => {
    expect([...new Set([...documentedOf.values()].flat())].filter((name) => !documented.includes(name))).toEqual([]);
  });

  it('are known to be missing only where there is something to miss', () => {
    expect(Object.keys(UNTOLD).filter((id) => !changing.some((operation) => operation.id === id))).toEqual([]);
    expect(Object.keys(UNTOLD_COMMANDS).filter((name) => !COMMANDS.some(({ words }) => words === name))).toEqual([]);
  });
});
