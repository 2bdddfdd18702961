import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { judge, landed, type Finding } from '../checkers/finding.js';
import { Client } from '../load/client.js';
import { Balancer, type BalancerKind } from '../servers/balancer.js';
import type { World } from '../world/world.js';
import type { Fault } from './fault.js';
import { happensWithin } from './when.js';

/** nginx avoids a failed instance for some seconds: with many, another is always available. */
const APPS = 12;
const CUTS = 24;
const MOST_POSTS = 2000;
const PAUSE_MS = 10;

/** An application that is ready, and drops the connection during every fifth POST. */
class FlakyApp {
  readonly seen: string[] = [];
  cut = 0;

  private constructor(private readonly server: Server) {}

  static async start(random: () => number): Promise<FlakyApp> {
    const server = createServer();
    const app = new FlakyApp(server);
    server.on('request', (request, response) => {
      request.resume().on('end', () => {
        if (request.method !== 'POST') return void response.end('{}');
        app.seen.push(request.url ?? '');
        const way = random();
        if (way > 0.2) return void response.writeHead(201).end('{}');
        app.cut += 1;
        // Before the first byte of the response, or in the middle of it.
        if (way > 0.1) return void request.socket.resetAndDestroy();
        response.writeHead(201, { 'content-length': 100 }).write('{');
        setTimeout(() => request.socket.resetAndDestroy(), 5);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return app;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

async function through(world: World, kind: BalancerKind): Promise<Finding[]> {
  const apps: FlakyApp[] = [];
  while (apps.length < APPS) apps.push(world.add(await FlakyApp.start(world.random)));
  const ports = apps.map(({ port }) => port);
  const balancer = world.add(await Balancer.start(kind, world.folder, ports, `flaky-${kind}`));
  const client = new Client(balancer.origin);
  await happensWithin(5000, async () => (await client.call({ method: 'GET', path: '/readyz' })).status === 200);
  const cut = (): number => apps.reduce((sum, app) => sum + app.cut, 0);
  let sent = 0;
  for (; cut() < CUTS && sent < MOST_POSTS; sent += 1) {
    await client.call({ method: 'POST', path: `/${kind}/${sent}`, body: { sent } });
    await delay(PAUSE_MS);
  }
  client.close();
  const counts = Map.groupBy(
    apps.flatMap(({ seen }) => seen),
    (url) => url,
  );
  const twice = [...counts].filter(([, seen]) => seen.length > 1).map(([url, seen]) => `${url} came ${seen.length}×`);
  return [
    { ...landed(cut(), CUTS, 'POSTs cut off'), what: `landed ${kind}` },
    judge(`POSTs through ${kind}`, `${sent} sent, ${counts.size} arrived`, twice),
  ];
}

export const proxyRetries: Fault = {
  id: 'F31',
  title: 'Instances that go away in the middle of a POST',
  criterion: 'the balancer never sends a POST again: what the instances count is what clients count',
  stack: { apis: 1, workers: 1, hooks: 1 },
  async run(world) {
    const findings = [...(await through(world, 'haproxy')), ...(await through(world, 'nginx'))];
    return { figures: { instances: APPS }, findings };
  },
};
