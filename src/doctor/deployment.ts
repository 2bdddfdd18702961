import { Redis } from 'ioredis';
import { createTransport } from 'nodemailer';
import { createApp, hasLocalDatabase, prepare } from '../bootstrap/index.js';
import type { Clock } from '../common/clock.js';
import type { Config } from '../config/index.js';
import { MIGRATIONS } from '../database/index.js';
import { clockSkewMs } from '../health/index.js';
import { PEPPER_NAME } from '../identity/index.js';
import { tryRing } from '../queue/index.js';
import { openKeyVault, type KeyVault } from '../vault/index.js';
import { CustodianRegistry, type CustodyVersion } from '../custody/index.js';
import type { TrailRights } from './checks/audit-trail.js';
import type { KeyRights } from './checks/sealed-keys.js';
import type { DatabaseState } from './checks/database.js';
import { headFault, type ChainNode, type NodeFault } from './checks/chain-nodes.js';
import { redisStateOf, type RedisState } from './checks/redis.js';
import type { RowSecurityState } from './checks/row-security.js';
import type { UsedKey } from './checks/stored-secrets.js';
import { DatabaseProbe } from './database-probe.repository.js';
import { readLocalKey } from './local-files.js';
import { askNode, ChainUnreadableError } from '../networks/index.js';
import { EgressPolicy, GuardedDispatcher, OutboundError, OutboundHttp, tenantFailure } from '../outbound/index.js';
import { smsAddress } from '../providers/index.js';
import { seenVendors, type Reached, type SeenVendor } from './checks/vendors.js';
import { causeOf } from './finding.js';
import { ServiceClient } from './service-client.js';

const PATIENCE_MS = 3_000;

/** The live parts of a deployment, each opened on first use. */
export class Deployment {
  readonly service: ServiceClient;
  /** Whether the schema is of an older version, as during an upgrade: its rows are not read. False before the first start. */
  isBehind = false;
  private probe: DatabaseProbe | null = null;
  private url: string | null = null;
  private stopDatabase: () => Promise<void> = async () => undefined;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    this.service = new ServiceClient(config.publicUrl);
  }

  /** The caller closes it; null when no key exists yet. */
  async vault(): Promise<KeyVault | null> {
    const text = this.config.get('MASTER_KEY') ?? readLocalKey(this.config.get('DATA_DIR'));
    return text === null && this.config.keepsMasterKey ? null : openKeyVault(this.config, text ?? '');
  }

  async database(): Promise<DatabaseState | null> {
    const url = (this.url = await this.databaseUrl());
    if (url === null) return null;
    this.probe = await DatabaseProbe.open(url);
    const pendingMigrations = await this.probe.pendingMigrations();
    this.isBehind = pendingMigrations.length > 0 && pendingMigrations.length < MIGRATIONS.length;
    return { ...(await this.probe.server()), pendingMigrations };
  }

  async rightsOnTrail(): Promise<TrailRights | null> {
    return (await this.probe?.rightsOnTrail()) ?? null;
  }

  async rightsOnKeys(): Promise<KeyRights[] | null> {
    return (await this.probe?.rightsOnKeys()) ?? null;
  }

  /** The secret that every start opens, as stored; null before the first one. */
  async storedSecret(): Promise<Buffer | null> {
    return (await this.probe?.storedSecret(PEPPER_NAME)) ?? null;
  }

  /** The master keys of all other stored secrets. */
  async usedKeys(): Promise<UsedKey[]> {
    return (await this.probe?.usedKeys()) ?? [];
  }

  async heldVersions(): Promise<CustodyVersion[] | null> {
    return (await this.probe?.heldVersions()) ?? null;
  }

  /** Only the modules know: they are started as for a command, without jobs and without accepting requests. */
  async installedVersions(): Promise<CustodyVersion[]> {
    const vault = await this.vault();
    if (!vault || this.url === null) return [];
    try {
      const config = this.config.with({ DATABASE_URL: this.url, ROLE: 'api', LOG_LEVEL: 'error' });
      const app = await createApp({ config, vault });
      try {
        await app.init();
        return app
          .get(CustodianRegistry, { strict: false })
          .all()
          .map(({ version }) => version);
      } finally {
        await app.close();
      }
    } finally {
      await vault.close();
    }
  }

  async chainNodes(): Promise<ChainNode[] | null> {
    return (await this.probe?.chainNodes()) ?? null;
  }

  /** The distinct addresses of the SMS providers enabled by environments. */
  async smsGateways(): Promise<string[] | null> {
    const { api } = this.config.get('PROVIDER_ADDRESSES')['sms'] ?? {};
    const gateways = await this.probe?.smsGateways();
    return gateways ? [...new Set(gateways.map((gateway) => smsAddress(api, gateway)))] : null;
  }

  /** Asks a node for its network, as the service does before trusting it, and for its newest block. */
  async askNode({ chain, number, url }: ChainNode): Promise<NodeFault> {
    const isEvm = chain === 'EVM' || chain === 'ETH';
    const http = this.outbound();
    const ask = async (method: string, params: readonly unknown[] = []) =>
      (await askNode(http, url, [{ method, params }], PATIENCE_MS))[0];
    try {
      const reply = await ask(isEvm ? 'eth_chainId' : 'getHealth');
      if (reply?.error) return 'responds with an error';
      if (!isEvm) return null;
      if (Number(reply?.result) !== Number(number)) return 'belongs to another network';
      return headFault((await ask('eth_getBlockByNumber', ['latest', false]))?.result, this.clock.timestamp());
    } catch (error) {
      return error instanceof ChainUnreadableError ? error.reason : 'blocked';
    } finally {
      await http.close();
    }
  }

  async rowSecurity(): Promise<RowSecurityState | null> {
    return (await this.probe?.rowSecurity()) ?? null;
  }

  async clockSkewMs(): Promise<number | null> {
    if (!this.probe) return null;
    const askedAt = this.clock.now();
    return clockSkewMs(await this.probe.now(), askedAt, this.clock.now());
  }

  /** Whether the service responds on this machine. */
  async isRunning(): Promise<boolean> {
    const address = onThisMachine(this.config.get('HOST'));
    const answer = await this.service.health(`http://${address}:${this.config.get('PORT')}/healthz`);
    return typeof answer !== 'string' && answer.host !== null;
  }

  async consoleKeys(): Promise<readonly unknown[] | string | null> {
    if (!this.probe) return 'the database cannot be used';
    const id = await this.probe.consoleEnvironmentId();
    return id === null ? null : this.service.signingKeys(id);
  }

  async redis(url: string): Promise<RedisState> {
    const redis = new Redis(url, { lazyConnect: true, connectTimeout: PATIENCE_MS, retryStrategy: () => null });
    const failed = Promise.withResolvers<never>();
    redis.on('error', failed.reject);
    try {
      await Promise.race([redis.connect(), failed.promise]);
      const info = await redis.info().catch(() => unreadInfo(redis));
      return redisStateOf(info, await tryRing(redis).then(() => null, causeOf));
    } finally {
      redis.disconnect();
    }
  }

  async verifyMail(url: string, requireTLS: boolean): Promise<void> {
    const transport = createTransport({
      url,
      requireTLS,
      connectionTimeout: PATIENCE_MS,
      greetingTimeout: PATIENCE_MS,
    });
    try {
      await transport.verify();
    } finally {
      transport.close();
    }
  }

  /** Sends a request as the service would, under the same egress policy. */
  async reach(url: string): Promise<Reached> {
    const http = this.outbound();
    try {
      const { status, durationMs, headers } = await http.send({ method: 'GET', url, timeoutMs: PATIENCE_MS });
      const quota = headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining'];
      return { status, durationMs, quotaLeft: typeof quota === 'string' ? quota.slice(0, 20) : null };
    } catch (error) {
      return error instanceof OutboundError ? tenantFailure(error.kind) : 'blocked';
    } finally {
      await http.close();
    }
  }

  /** Empty if the service is not running or exposes no metrics. */
  async seenVendors(): Promise<ReadonlyMap<string, SeenVendor>> {
    const port = this.config.get('METRICS_PORT');
    if (port === null || port === 0) return new Map();
    const figures = await this.service.figures(`${onThisMachine(this.config.get('METRICS_HOST'))}:${port}`);
    return seenVendors(figures, this.clock.timestamp() / 1_000);
  }

  private outbound(): OutboundHttp {
    const isOpen = !this.config.isProduction;
    const policy = new EgressPolicy(this.config.egressAllow, { allowHttp: isOpen, allowIpLiterals: isOpen });
    return new OutboundHttp(policy, new GuardedDispatcher(policy));
  }

  async close(): Promise<void> {
    await this.probe?.close();
    await this.stopDatabase();
    await this.service.close();
  }

  /** The built-in server is shared with a running service; null if it was never set up. */
  private async databaseUrl(): Promise<string | null> {
    const given = this.config.get('DATABASE_URL');
    if (given !== null || !hasLocalDatabase(this.config.get('DATA_DIR'))) return given;
    const prepared = await prepare(this.config, () => undefined);
    this.stopDatabase = () => prepared.stop();
    return prepared.config.get('DATABASE_URL');
  }
}

/** The address at which a server listening on `host` is reachable from this machine. */
function onThisMachine(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * For a user whom an ACL denies INFO, as some hosted servers do: the service does without it.
 *
 * @throws the error of the server if it answers nothing else either
 */
async function unreadInfo(redis: Redis): Promise<string> {
  await redis.ping();
  return '';
}
