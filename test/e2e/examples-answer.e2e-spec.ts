import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assertFrom, idsReplaced, isAnsweredAsSaid, NOT_AS_IT_IS } from '../support/examples.js';
import { startTenantApp, type TenantApp } from '../support/suites/tenant-app.js';
import { operations } from '../support/surface/operations.js';
import { validCall } from '../support/surface/valid-call.js';

/** What is shown beside an operation is what it takes: sent unchanged, but for ids of the caller's own records. */
describe('the example of every operation', () => {
  let own: TenantApp;

  beforeAll(async () => {
    own = await startTenantApp();
  }, 120_000);
  afterAll(() => own?.close());

  it('gets 2xx, except for listed ones, each with the status of its reason', async () => {
    const refused: string[] = [];
    for (const operation of operations) {
      const { body, query: _, ...call } = await validCall(own.tenant, operation);
      const usual: unknown = body === undefined ? undefined : JSON.parse(body as string);
      const example = operation.bodyExample === undefined ? usual : idsReplaced(operation.bodyExample, usual);
      const answer = await own.client.send({
        ...call,
        body: example === undefined ? undefined : JSON.stringify(example),
      });
      if (!isAnsweredAsSaid(operation.id, answer.status)) {
        refused.push(`${operation.id}: ${answer.status} ${answer.text.slice(0, 300)}`);
      }
    }
    expect(refused).toEqual([]);
    expect(operations.length).toBeGreaterThanOrEqual(333);
    expect(Object.keys(NOT_AS_IT_IS).length).toBeLessThan(30);
  }, 240_000);

  it('exists for every body, and is refused when it is wrong', () => {
    const bodies = operations.filter(({ body }) => body !== null);
    expect(bodies.length).toBeGreaterThan(80);
    expect(bodies.filter(({ bodyExample }) => bodyExample === undefined).map(({ id }) => id)).toEqual([]);
    expect(() => assertFrom({ name: 'string' })).toThrow('name');
    for (const { bodyExample } of bodies) assertFrom(bodyExample);
  });

  it('that cannot be sent as is belongs to an existing operation', () => {
    const known = new Set(operations.map(({ id }) => id));
    expect(Object.keys(NOT_AS_IT_IS).filter((id) => !known.has(id))).toEqual([]);
  });
});
