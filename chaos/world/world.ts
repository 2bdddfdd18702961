import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { withClient } from '../../bench/stack/postgres.js';
import { Client, jsonOf } from '../load/client.js';
import { Ledger } from '../load/ledger.js';
import { Load } from '../load/load.js';
import { randomOf } from '../load/random.js';
import { Balancer } from '../servers/balancer.js';
import type { Instance } from '../servers/instance.js';
import { ChaosRedis } from '../servers/redis.js';
import { Sink } from '../servers/sink.js';
import { TcpProxy } from '../../test/support/tcp-proxy.js';
import { Trap } from '../servers/trap.js';
import type { Closer } from './closing.js';
import type { Ground } from './ground.js';
import { readBacklog, type Backlog } from './history.js';
import { settingsOf, startInstances } from './instances.js';
import { USUAL_STACK, type StackWish } from './stack-wish.js';

/** The events that a world's webhooks subscribe to: all that the load causes. */
export const EVENTS = ['user.created', 'user.updated', 'wallet.created', 'user.session.created'];
const QUIET_MS = 1000;
const POLL_MS = 100;

interface Parts {
  readonly ground: Ground;
  readonly folder: string;
  readonly database: string;
  readonly redis: ChaosRedis;
  readonly sink: Sink;
  readonly trap: Trap;
  readonly proxies: { readonly postgres: TcpProxy | null; readonly redis: TcpProxy | null };
  readonly apis: readonly Instance[];
  readonly workers: readonly Instance[];
  readonly balancer: Balancer;
  readonly seed: number;
}

/** Everything that a fault acts on: servers, instances, clients, and the records about them. */
export class World {
  readonly ledger = new Ledger();
  readonly client: Client;
  readonly load: Load;
  readonly random: () => number;
  /** Webhook ids by the last part of their address. */
  readonly hooks = new Map<string, string>();
  /** Values that must not occur in any log. */
  readonly secrets = new Map<string, string>();

  private constructor(
    private readonly parts: Parts,
    private readonly cleanup: Closer,
  ) {
    this.random = randomOf(parts.seed);
    this.client = new Client(parts.balancer.origin);
    this.load = new Load(this.client, parts.ground.tenant, this.ledger, this.random);
    this.secrets.set('API token', parts.ground.tenant.token);
    this.secrets.set('master key', parts.ground.masterKey);
    this.secrets.set('password of the database', parts.ground.postgres.secret);
  }

  /** Starts the requested stack, with the webhooks in place. Everything started is stopped by the cleanup. */
  static async open(ground: Ground, name: string, wish: StackWish, seed: number, cleanup: Closer): Promise<World> {
    const stack = { ...USUAL_STACK, ...wish };
    const folder = join(ground.folder, name);
    mkdirSync(folder);
    const database = `chaos_${name}`;
    await ground.createDatabase(database);
    cleanup.add({ stop: () => ground.postgres.dropDatabase(database) });
    const redis = cleanup.add(await ChaosRedis.start(folder, stack.redis));
    const sink = cleanup.add(await Sink.start());
    const trap = cleanup.add(await Trap.start());
    const proxied = new Set<string>(stack.proxied);
    const proxyTo = async (what: string, port: number): Promise<TcpProxy | null> =>
      proxied.has(what) ? cleanup.add(await TcpProxy.start(port)) : null;
    const proxies = {
      postgres: await proxyTo('postgres', ground.postgres.port),
      redis: await proxyTo('redis', redis.port),
    };
    const settings = settingsOf(ground, {
      databaseUrl: ground.postgres.url(database, proxies.postgres?.port),
      redisUrl: redis.url(proxies.redis?.port),
      sinkPort: sink.port,
    });
    const { apis, workers } = await startInstances(stack, folder, settings, cleanup);
    const ports = apis.map(({ origin }) => Number(new URL(origin).port));
    const balancer = cleanup.add(await Balancer.start(stack.balancer, folder, ports));
    const parts = { ground, folder, database, redis, sink, trap, proxies, apis, workers, balancer, seed };
    const world = new World(parts, cleanup);
    cleanup.add({ stop: async () => world.client.close() });
    await world.untilServing();
    for (let index = 0; index < stack.hooks; index += 1) await world.createWebhook(`hook${index + 1}`);
    return world;
  }

  get ground(): Ground {
    return this.parts.ground;
  }
  get redis(): ChaosRedis {
    return this.parts.redis;
  }
  get sink(): Sink {
    return this.parts.sink;
  }
  get trap(): Trap {
    return this.parts.trap;
  }
  get apis(): readonly Instance[] {
    return this.parts.apis;
  }
  get workers(): readonly Instance[] {
    return this.parts.workers;
  }
  get instances(): readonly Instance[] {
    return [...this.apis, ...this.workers];
  }
  /** For files of this world, including its logs. */
  get folder(): string {
    return this.parts.folder;
  }
  /** The proxy in front of a server. @throws Error if none was requested */
  proxy(of: 'postgres' | 'redis'): TcpProxy {
    const proxy = this.parts.proxies[of];
    if (!proxy) throw new Error(`${of} has no proxy in this world.`);
    return proxy;
  }

  /** For what the fault itself starts: it ends with the world. */
  add<T extends { stop(): Promise<void> }>(started: T): T {
    return this.cleanup.add(started);
  }

  /** Reads or changes the database, bypassing every proxy. */
  withDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    return withClient(this.ground.postgres.url(this.parts.database), work);
  }

  /** Makes a request as the tenant, through the balancer. */
  ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', below: string, body?: object): ReturnType<Client['call']> {
    const { environmentId, token } = this.ground.tenant;
    const path = `/api/v0/environments/${environmentId}${below}`;
    return this.client.call({ method, path, headers: { authorization: `Bearer ${token}` }, ...(body && { body }) });
  }

  /** Creates a webhook for a path of the sink, or elsewhere. Its secret must not occur in any log. */
  async createWebhook(hook: string, url = this.sink.url(hook), events = EVENTS): Promise<string> {
    const reply = await this.ask('POST', '/webhooks', { url, isEnabled: true, events });
    const made = jsonOf(reply) as { webhookId?: string; secret?: string };
    if (reply.status !== 201 || !made.webhookId) throw new Error(`No webhook: ${reply.status} ${reply.text}`);
    this.hooks.set(hook, made.webhookId);
    if (made.secret && !made.secret.includes('*')) this.secrets.set(`secret of ${hook}`, made.secret);
    return made.webhookId;
  }

  /**
   * Waits until nothing is pending, except for messages to the webhooks in `waiting`. Returns what is still pending
   * when the time is over.
   */
  async untilQuiet(
    limitMs: number,
    waiting: ReadonlySet<string> = new Set(),
  ): Promise<Backlog & { quiet: boolean; ms: number }> {
    const from = performance.now();
    let quietSince: number | null = null;
    for (;;) {
      const backlog = await this.withDatabase((client) => readBacklog(client, waiting));
      const busy = backlog.events + backlog.messages + this.ledger.open > 0;
      quietSince = busy ? null : (quietSince ?? performance.now());
      if (quietSince !== null && performance.now() - quietSince >= QUIET_MS) {
        return { ...backlog, quiet: true, ms: quietSince - from };
      }
      if (performance.now() - from > limitMs) return { ...backlog, quiet: false, ms: performance.now() - from };
      await delay(POLL_MS);
    }
  }

  /** Waits until the balancer has found its instances, and they respond. */
  private async untilServing(): Promise<void> {
    for (let tries = 0; tries < 600; tries += 1) {
      const reply = await this.client.call({ method: 'GET', path: '/healthz' });
      if (reply.status === 200) return;
      await delay(100);
    }
    throw new Error('The balancer does not hand requests on.');
  }
}
