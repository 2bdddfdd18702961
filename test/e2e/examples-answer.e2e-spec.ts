import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { explorerDocument } from '../../src/openapi/docs/explorer-document.js';
import type { OpenApiDocument } from '../../src/openapi/document-types.js';
import { assertFrom, idsReplaced, isAnsweredAsSaid, NOT_AS_IT_IS } from '../support/examples.js';
import { startTenantApp, type TenantApp } from '../support/suites/tenant-app.js';
import { operations } from '../support/surface/operations.js';
import { validCall } from '../support/surface/valid-call.js';
import { World } from '../support/world.js';

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

  it('takes nothing away from the demo, whose ids the page fills in', async () => {
    const world = await World.create(own.test);
    const plain = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument;
    const { paths } = explorerDocument(plain, { path: {}, webhookUrl: 'https://example.com/hooks', errorPages: '' });
    const filledIn = (path: string, method: 'post' | 'put'): object => {
      const body = paths[`/environments/{environmentId}${path}`]?.[method]?.requestBody;
      return (body as { content: Record<string, { example: object }> }).content['application/json']!.example;
    };
    const lists = async (): Promise<unknown> => {
      const { body } = await world.api.get<{ settings: Lists }>(world.path(''), { expect: 200 });
      const { chains, kyc, sdk } = body.settings;
      return { chains, kyc, sections: sdk.views[0]?.sections.map(({ type }) => type) };
    };
    const before = await lists();
    await world.api.put(world.path(''), filledIn('', 'put'), { expect: 200 });
    await world.api.put(world.path('/sdkViews/login'), filledIn('/sdkViews/{sdkViewType}', 'put'), { expect: 201 });
    expect(await lists()).toEqual(before);
    const policy = filledIn('/waas/policies', 'post');
    const { body } = await world.api.post<{ message: string }>(world.path('/waas/policies'), policy, { expect: 201 });
    expect(body.message).toBe('Everything is signed that no rule of the type deny fits.');
  });
});

/** Settings that a change replaces as a whole. */
interface Lists {
  chains: unknown[];
  kyc: unknown[];
  sdk: { views: { sections: { type: string }[] }[] };
}
