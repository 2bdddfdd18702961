import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { MetricsServer } from '../../src/observability/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { Deployment, type Instance } from '../support/deployment.js';
import { eventually, Receiver } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { World, newEmail } from '../support/world.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Names of series in a query of PromQL: what is neither a function, a label nor a word in quotes. */
const namesIn = (query: string): string[] => query.match(/\b(?:gatehouse|nodejs|process)_\w+/g) ?? [];

describe('metrics', () => {
  let test: TestApp;
  let world: World;
  let receiver: Receiver;
  let url: string;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { METRICS_PORT: '0' } });
    const server = test.app.get(MetricsServer);
    await server.start();
    url = `http://127.0.0.1:${server.port}/metrics`;
    world = await World.create(test);
    receiver = await Receiver.start(({ body }) => ({ status: JSON.stringify(body).includes('fails-') ? 500 : 200 }));
    const webhook = { url: receiver.url, events: ['user.created'], isEnabled: true };
    await world.api.post(world.path('/webhooks'), webhook, { expect: 201 });
  });
  afterAll(async () => {
    await test?.close();
    await receiver?.stop();
  });

  const scrape = async (): Promise<string> => (await fetch(url)).text();
  const valueOf = (text: string, series: string): number => {
    const line = text.split('\n').find((each) => each.startsWith(`${series} `));
    return Number(line?.slice(series.length + 1));
  };

  it('count requests by operation, deliveries by outcome, and what waits', async () => {
    for (let count = 0; count < 3; count++) await world.api.post(world.path('/users'), { email: newEmail() });
    await world.api.post(world.path('/users'), { email: `fails-${newEmail()}` });
    await world.api.post(world.path('/users'), { email: 'none' }, { expect: 400 });
    await fetch(`${test.url}/no/such/path?token=hunter2`);
    await eventually('four attempts', () => receiver.of('user.created').length >= 4);
    // An attempt counts before its message is written down as delivered.
    const text = await eventually('recorded', async () => {
      const found = await scrape();
      const counted = valueOf(found, 'gatehouse_delivery_lag_seconds_count') >= 4;
      return counted && valueOf(found, 'gatehouse_messages_scheduled') === 1 ? found : null;
    });
    const requests = 'gatehouse_http_request_duration_seconds_count';
    expect(valueOf(text, `${requests}{operation="createUser",status="2xx"}`)).toBe(4);
    expect(valueOf(text, `${requests}{operation="createUser",status="4xx"}`)).toBe(1);
    expect(valueOf(text, `${requests}{operation="none",status="4xx"}`)).toBe(1);
    expect(valueOf(text, 'gatehouse_delivery_duration_seconds_count{outcome="delivered"}')).toBeGreaterThanOrEqual(3);
    expect(valueOf(text, 'gatehouse_delivery_duration_seconds_count{outcome="status"}')).toBeGreaterThanOrEqual(1);
    expect(valueOf(text, 'gatehouse_events_waiting')).toBe(0);
    expect(valueOf(text, 'gatehouse_queue_up')).toBe(1);
    expect(valueOf(text, 'gatehouse_job_runs_total{bell="webhooks.deliver"}')).toBeGreaterThan(0);
    expect(valueOf(text, 'gatehouse_database_connections{state="idle"}')).toBeGreaterThan(0);
    expect(text).not.toMatch(/hunter2|example\.com|api\/v0|127\.0\.0\.1/);
  });

  it('are what the dashboard of deploy/grafana shows, name for name', async () => {
    const known = new Set([...(await scrape()).matchAll(/^(\w+)(?:\{| )/gm)].map(([, name]) => name));
    const file = new URL('../../deploy/grafana/gatehouse.json', import.meta.url);
    const dashboard = JSON.parse(readFileSync(file, 'utf8')) as { panels: { targets: { expr: string }[] }[] };
    const shown = dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr)));
    expect(shown.length).toBeGreaterThan(20);
    const unknownOf = (names: string[]): string[] => names.filter((name) => !known.has(name));
    expect(unknownOf(namesIn('sum(rate(gatehouse_http_requests_total[5m])) / gatehouse_queue_up'))).toEqual([
      'gatehouse_http_requests_total',
    ]);
    expect(unknownOf(shown)).toEqual([]);
    const own = [...known].filter((name) => /^gatehouse_(?!.*_(?:bucket|sum)$)/.test(name ?? ''));
    expect(own.filter((name) => !shown.some((other) => other.replace(/_bucket$/, '_count') === name))).toEqual([]);
  });

  it('are at no other path, and not at the port of the API', async () => {
    expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404);
    expect((await fetch(url, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${test.url}/metrics`)).status).toBe(404);
  });
});

interface Span {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  links?: { traceId: string; spanId: string }[];
  attributes: { key: string; value: Record<string, unknown> }[];
}

/** Takes spans as a collector does, over HTTP in JSON. */
class Collector {
  readonly spans: Span[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  private constructor(private readonly server: Server) {}

  static async start(): Promise<Collector> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        collector.headers.push({ ...request.headers, path: request.url });
        const body = JSON.parse(Buffer.concat(chunks).toString()) as {
          resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
        };
        for (const { scopeSpans } of body.resourceSpans)
          for (const { spans } of scopeSpans) collector.spans.push(...spans);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    const collector: Collector = new Collector(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

describe('a process in production', () => {
  let test: TestApp;
  let world: World;
  let deployment: Deployment;
  let instance: Instance;
  let collector: Collector;
  let receiver: Receiver;

  beforeAll(async () => {
    collector = await Collector.start();
    receiver = await Receiver.start();
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    world = await World.create(test);
    const webhook = { url: receiver.url, events: ['user.created'], isEnabled: true };
    await world.api.post(world.path('/webhooks'), webhook, { expect: 201 });
    deployment = new Deployment({ DATABASE_URL: test.databaseUrl, MASTER_KEY: test.masterKey, DRAIN_SECONDS: '0' });
    instance = await deployment.start({
      LOG_LEVEL: 'debug',
      LOG_REQUESTS: 'all',
      EGRESS_ALLOW: '127.0.0.1',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=k%201',
    });
  }, 120_000);
  afterAll(async () => {
    await deployment?.stop();
    await test?.close();
    await receiver?.stop();
    collector?.stop();
  });

  const lines = (): Record<string, unknown>[] =>
    instance.process.output
      .split('\n')
      // The last one may not have come to its end.
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('carries the id and the trace of a request into the log and the delivery it causes', async () => {
    const email = newEmail();
    const answer = await fetch(`${instance.url}/api/v0${world.path('/users')}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.token}`,
        'content-type': 'application/json',
        'x-request-id': 'from-the-balancer-1',
        traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
      },
      body: JSON.stringify({ email }),
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-request-id')).toBe('from-the-balancer-1');
    await eventually('delivered', () => receiver.of('user.created').length > 0);
    const attempted = await eventually('a line of the delivery', () =>
      lines().find(({ context, eventName }) => context === 'Deliveries' && eventName === 'user.created'),
    );
    expect(attempted).toMatchObject({
      msg: 'attempted',
      requestId: 'from-the-balancer-1',
      environmentId: world.environmentId,
      outcome: 'delivered',
      attempt: 1,
      status: 200,
    });
    const answered = lines().find(({ operationId }) => operationId === 'createUser');
    expect(answered).toMatchObject({
      context: 'Requests',
      msg: 'answered',
      requestId: 'from-the-balancer-1',
      method: 'POST',
      route: '/api/v0/environments/:environmentId/users',
      status: 201,
      environmentId: world.environmentId,
      principal: 'environmentToken',
      principalId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    // The start says where it listens; no line after it has an address.
    const [, ...after] = instance.process.output.split('listening on');
    for (const secret of [email, world.token, '127.0.0.1', receiver.url]) {
      const text = secret === '127.0.0.1' ? after.join('').split('\n').slice(1).join('\n') : instance.process.output;
      expect(text).not.toContain(secret);
    }
    expect(after).toHaveLength(1);

    const attemptOf = (event: string): Span | undefined =>
      collector.spans.find(({ attributes }) =>
        attributes.some(({ key, value }) => key === 'gatehouse.event' && value['stringValue'] === event),
      );
    await eventually('the span of the attempt', () => attemptOf('user.created'), 15_000);
    await eventually('the span of the request', () => collector.spans.some(({ name }) => name === 'createUser'));
    const server = collector.spans.find(({ name }) => name === 'createUser');
    expect(server).toMatchObject({ traceId: TRACE, parentSpanId: '00f067aa0ba902b7', kind: 2 });
    const attempt = attemptOf('user.created');
    expect(attempt).toMatchObject({ name: 'webhook attempt', kind: 3 });
    expect(attempt?.traceId).not.toBe(TRACE);
    expect(attempt?.links).toEqual([expect.objectContaining({ traceId: TRACE, spanId: server?.spanId })]);
    expect(collector.headers[0]).toMatchObject({ path: '/v1/traces', 'x-collector-key': 'k 1' });
    expect(JSON.stringify(collector.spans)).not.toMatch(/example\.com|127\.0\.0\.1|ghe_/);
  }, 120_000);

  it('makes an id of its own where the given one is malformed, and names it in the body of an error', async () => {
    for (const given of ['short', 'has spaces in it', 'x'.repeat(129), 'quote"quote']) {
      const path = `${instance.url}/api/v0${world.path('/users')}`;
      const answer = await fetch(path, { headers: { 'x-request-id': given } });
      const made = answer.headers.get('x-request-id');
      expect(made).toMatch(/^[0-9a-f-]{36}$/);
      expect(await answer.json()).toMatchObject({ requestId: made });
    }
  });

  it('names no request on events that no request caused', async () => {
    const caused = await rowsOf<{ name: string; requestId: string | null }>(
      test,
      'SELECT name, request_id AS "requestId" FROM events WHERE environment_id = $1',
      [world.environmentId],
    );
    expect(caused.find(({ name }) => name === 'user.created')?.requestId).toBe('from-the-balancer-1');
    expect(lines().every(({ level, time, pid }) => level && time && pid)).toBe(true);
  });
});
