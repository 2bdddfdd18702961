import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { seedMessages } from '../support/seeded-messages.js';
import { countStatements, type SentStatement } from '../support/statements.js';
import { World } from '../support/world.js';

/** Raise it by hand for a figure at a million. */
const MANY = Number(process.env['GATEHOUSE_TEST_MESSAGES'] ?? 200_000);
const FEW = 1000;

interface Page {
  cursor?: string;
  data: { messageId: string; deliveryId: string; deliveryAttempt: number }[];
}
interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

describe('the messages of a webhook', () => {
  let test: TestApp;
  const hooks: { world: World; path: string }[] = [];

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    for (const count of [FEW, MANY]) {
      const world = await World.create(test);
      const request = { url: 'https://example.com/hook', isEnabled: true, events: ['user.created'] };
      const { body } = await world.api.post<{ webhookId: string }>(world.path('/webhooks'), request, { expect: 201 });
      const { webhookId } = body;
      for (let made = 0; made < count; made += 50_000) {
        const ageSeconds = 80 * 86_400 - made / 50;
        await seedMessages(test, world, { count: Math.min(count, 50_000), status: 'delivered', webhookId, ageSeconds });
      }
      await seedMessages(test, world, { count: 60, status: 'delivered', webhookId, deliveryBytes: 500 });
      hooks.push({ world, path: world.path(`/webhooks/${webhookId}/messages`) });
    }
    await rowsOf(test, 'VACUUM ANALYZE events, webhook_messages, webhook_deliveries');
  }, 240_000);
  afterAll(() => test.close());

  const page = async ({ world, path }: (typeof hooks)[0], cursor = ''): Promise<Page> =>
    (await world.api.get<Page>(`${path}?cursor=${cursor}`, { expect: 200 })).body;

  async function plan({ text, values }: SentStatement): Promise<Plan[]> {
    const [row] = await rowsOf<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      test,
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      [...values],
    );
    const nodes: Plan[] = [];
    const visit = (node: Plan): void => void (nodes.push(node), node.Plans?.forEach(visit));
    visit(row!['QUERY PLAN'][0].Plan);
    return nodes;
  }

  /** A cursor half way down. */
  async function middle({ world }: (typeof hooks)[0]): Promise<string> {
    const [row] = await rowsOf<{ id: string }>(
      test,
      `SELECT id FROM webhook_messages WHERE environment_id = $1
       ORDER BY id OFFSET (SELECT count(*) / 2 FROM webhook_messages WHERE environment_id = $1) LIMIT 1`,
      [world.environmentId],
    );
    return Buffer.from(row!.id.replaceAll('-', ''), 'hex').toString('base64url');
  }

  it.each([
    ['first', false],
    ['middle', true],
  ])('are read along an index, without sorting, on the %s page', async (_, deep) => {
    const hook = hooks[1]!;
    const cursor = deep ? await middle(hook) : '';
    const { result, sent } = await countStatements(() => page(hook, cursor));
    expect(result.data).toHaveLength(50);
    const listing = sent.filter(({ text }) => text.includes('FROM webhook_messages m'));
    expect(listing).toHaveLength(1);
    const nodes = await plan(listing[0]!);
    expect(nodes.map((node) => node['Node Type']).filter((type) => /Sort|Seq Scan|Hash|Bitmap/.test(type))).toEqual([]);
    const indexes = nodes.flatMap((node) => node['Index Name'] ?? []);
    expect(indexes).toEqual(['webhook_messages_of_webhook', expect.any(String), 'webhook_deliveries_once']);
    for (const node of nodes) {
      expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(51);
      expect(node['Rows Removed by Filter'] ?? 0).toBe(0);
    }
  });

  it('cost as much at many as at few, at the top and in the middle', async () => {
    const costs: Record<string, { blocks: number; ms: number }> = {};
    for (const [name, hook, deep] of [
      ['few', hooks[0]!, false],
      ['many', hooks[1]!, false],
      ['deep', hooks[1]!, true],
    ] as const) {
      const cursor = deep ? await middle(hook) : '';
      const { sent } = await countStatements(() => page(hook, cursor));
      const listing = sent.find(({ text }) => text.includes('FROM webhook_messages m'))!;
      const times: number[] = [];
      for (let at = 0; at < 21; at++) {
        const from = performance.now();
        await rowsOf(test, listing.text, [...listing.values]);
        times.push(performance.now() - from);
      }
      const [root] = await plan(listing);
      const blocks = root!['Shared Hit Blocks'] + root!['Shared Read Blocks'];
      costs[name] = { blocks, ms: times.sort((a, b) => a - b)[10]! };
    }
    // A page of the index more for each level that the trees have grown.
    expect(costs['many']!.blocks).toBeLessThan(1.5 * costs['few']!.blocks);
    expect(costs['deep']!.blocks).toBeLessThan(1.5 * costs['few']!.blocks);
    if (process.env['GATEHOUSE_TEST_MESSAGES']) process.stderr.write(`${MANY}: ${JSON.stringify(costs)}\n`);
  });

  it('of a webhook with few are not behind those of another one with many', async () => {
    const { world } = hooks[1]!;
    const request = { url: 'https://example.com/other', isEnabled: true, events: ['user.created'] };
    const { body } = await world.api.post<{ webhookId: string }>(world.path('/webhooks'), request, { expect: 201 });
    const { webhookId } = body;
    // The statistics do not know of it, and its messages are the oldest.
    await seedMessages(test, world, { count: 60, status: 'failed', webhookId, ageSeconds: 85 * 86_400 });
    const path = world.path(`/webhooks/${webhookId}/messages`);
    const { sent } = await countStatements(() => page({ world, path }));
    const nodes = await plan(sent.find(({ text }) => text.includes('FROM webhook_messages m'))!);
    for (const node of nodes) expect(node['Rows Removed by Filter'] ?? 0).toBe(0);
    expect(nodes[0]!['Shared Hit Blocks'] + nodes[0]!['Shared Read Blocks']).toBeLessThan(1500);
  });

  it('have deliveries that come in pages as well, none twice and none left out, even if some are removed meanwhile', async () => {
    const { world, path } = hooks[0]!;
    const { data } = await page(hooks[0]!);
    const { messageId } = data.find(({ deliveryAttempt }) => deliveryAttempt === 1)!;
    await rowsOf(
      test,
      `INSERT INTO webhook_deliveries
         (environment_id, id, message_id, attempt, status, request, response, delivered_at)
       SELECT $1, ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $2, n, 'failed', '{}', '{}', now()
       FROM generate_series(2, 130) n`,
      [world.environmentId, messageId],
    );
    const seen: number[] = [];
    let cursor = '';
    do {
      const at = `${path}/${messageId}${cursor && `?cursor=${cursor}`}`;
      const { body } = await world.api.get<Page>(at, { expect: 200 });
      seen.push(...body.data.map(({ deliveryAttempt }) => deliveryAttempt));
      cursor = body.cursor ?? '';
    } while (cursor);
    expect(seen).toEqual(Array.from({ length: 130 }, (_, at) => 130 - at));
    const { sent } = await countStatements(() => world.api.get(`${path}/${messageId}`));
    const nodes = await plan(sent.find(({ text }) => text.includes('JOIN webhook_deliveries d'))!);
    expect(nodes.map((node) => node['Node Type']).filter((type) => /Sort|Seq Scan|Hash|Bitmap/.test(type))).toEqual([]);
    await world.api.get(`${path}/${messageId}?cursor=nonsense`, { expect: 400 });

    const { body: first } = await world.api.get<Page>(`${path}/${messageId}`, { expect: 200 });
    const oldest = first.data.at(-1)!.deliveryAttempt;
    await rowsOf(test, 'DELETE FROM webhook_deliveries WHERE message_id = $1 AND attempt <= $2', [messageId, oldest]);
    const { body: rest } = await world.api.get<Page>(`${path}/${messageId}?cursor=${first.cursor}`, { expect: 200 });
    expect(rest).toEqual({ data: [] });
  });
});
