import pg from 'pg';
import type { TrailRights } from './checks/audit-trail.js';
import {
  asSystem,
  deploymentStatement,
  masterKeysIn,
  MEET_EVERY_TENANT,
  MIGRATIONS,
  prepareSession,
  refuseSharedSessions,
  SEALED_TABLES,
  TENANT_TABLES,
  type Statement,
  type TenantTable,
} from '../database/index.js';
import type { CustodyVersion } from '../custody/index.js';
import { MIXED_KEYS } from '../webhooks/index.js';
import type { KeyRights } from './checks/sealed-keys.js';
import type { DatabaseState } from './checks/database.js';
import type { ChainNode } from './checks/chain-nodes.js';
import type { RowSecurityState } from './checks/row-security.js';
import type { UsedKey } from './checks/stored-secrets.js';

const SERVER = deploymentStatement(
  'server.readVersion',
  `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
     current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
);
const NOW = deploymentStatement('clock.probe', 'SELECT clock_timestamp() AS now');
const MIGRATED = deploymentStatement('migrations.probe', "SELECT to_regclass('migrations') IS NOT NULL AS found");
const APPLIED = deploymentStatement('migrations.listApplied', 'SELECT name FROM migrations');
const CONSOLE = asSystem('somebody at a terminal asks whether the first start has come so far').statement(
  'environments.probeConsole',
  "SELECT id FROM environments WHERE kind = 'console'",
);

const SECRET = deploymentStatement('serviceSecrets.probe', 'SELECT sealed FROM service_secrets WHERE name = $1');

/** The owner of a table or of its schema may drop it; a role with CREATEROLE may become that owner. */
const TRAIL = deploymentStatement(
  'auditTrail.probeRights',
  `SELECT has_table_privilege(c.oid, 'UPDATE, DELETE, TRUNCATE') OR has_any_column_privilege(c.oid, 'UPDATE') AS changes,
     pg_has_role(c.relowner, 'MEMBER') OR pg_has_role(n.nspowner, 'MEMBER') AS owns, r.rolsuper AS "isSuperuser",
     r.rolcreaterole AS "makesRoles"
   FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_roles r ON r.rolname = current_user
   WHERE c.oid = to_regclass('audit_records')`,
);

/**
 * Rights of the current role and of every role it may assume with SET ROLE. An owner may always grant itself missing
 * rights, and a role with CREATEROLE may become the owner.
 */
const KEYS = deploymentStatement(
  'sealedKeys.probeRights',
  `SELECT k.place[1] || '.' || k.place[2] AS "column",
     r.rolsuper OR r.rolcreaterole OR pg_has_role(c.relowner, 'MEMBER') OR EXISTS (
       SELECT FROM pg_roles o WHERE pg_has_role(o.oid, 'MEMBER')
         AND has_column_privilege(o.oid, c.oid, k.place[2], 'SELECT')) AS reads,
     ARRAY(SELECT a.attname::text FROM pg_attribute a
       WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> k.place[2]
         AND NOT has_column_privilege(c.oid, a.attnum, 'SELECT') ORDER BY a.attnum) AS lacks
   FROM pg_roles r
   JOIN (SELECT regexp_split_to_array(name, '[.]') AS place FROM unnest(
     ARRAY['wallet_seeds.sealed_entropy', 'key_share_sets.sealed_shares', 'key_imports.sealed_key']) AS name) k ON true
   JOIN pg_class c ON c.oid = to_regclass(k.place[1])
   WHERE r.rolname = current_user`,
);

/** The most nodes that are checked, on the chains that the service reads. */
export const MOST_NODES = 200;

const NODES = asSystem('somebody at a terminal asks whether the nodes that tenants have chosen answer').statement(
  'networks.listNodes',
  `SELECT DISTINCT chain, number, url FROM (
     SELECT network_type AS chain, chain_id AS number, rpc_url AS url FROM custom_networks
     UNION ALL
     SELECT c.value ->> 'name', n.value ->> 'networkId', n.value ->> 'rpcUrl'
     FROM environment_settings s JOIN environments e ON e.id = s.environment_id AND e.deleted_at IS NULL
     CROSS JOIN LATERAL jsonb_path_query(s.settings::jsonb, '$.chains[*]') AS c (value)
     CROSS JOIN LATERAL jsonb_path_query(c.value, '$.networks[*]') AS n (value)
   ) AS named WHERE url <> '' AND chain IN ('EVM', 'ETH', 'SOL', 'ECLIPSE') ORDER BY chain, number, url LIMIT ${MOST_NODES + 1}`,
);

/** The most SMS gateways that are checked. */
export const MOST_SMS_GATEWAYS = 20;

const SMS_GATEWAYS = asSystem('somebody at a terminal asks whether the text messages of tenants can be sent').statement(
  'providers.listSmsGateways',
  `SELECT DISTINCT CASE WHEN coalesce(p.configuration ->> 'accountSid', '') = '' THEN p.configuration ->> 'domain' END AS host
   FROM providers p JOIN environments e ON e.id = p.environment_id AND e.deleted_at IS NULL
   WHERE p.provider = 'sms' AND p.enabled_at IS NOT NULL ORDER BY host LIMIT ${MOST_SMS_GATEWAYS + 1}`,
);

// Wallets of V1 and V2 are of the service itself, as are those of V3 without an account: their keys are shared. Hidden
// ones count, since their users may show them again.
const HELD = asSystem('somebody at a terminal asks whether wallets have lost their custodian').statement(
  'wallets.probeHeldVersions',
  `SELECT v.version FROM unnest(ARRAY['V3', 'external']) AS v (version) WHERE EXISTS (
     SELECT FROM environments e JOIN wallets w ON w.environment_id = e.id AND w.version = v.version
     WHERE e.deleted_at IS NULL AND w.kind = 'embedded'
       AND (w.account_index IS NOT NULL OR w.version = 'external'))`,
);

const BYPASSES = deploymentStatement(
  'rowSecurity.probeRole',
  'SELECT rolsuper OR rolbypassrls AS "bypasses" FROM pg_roles WHERE rolname = current_user',
);

/** Milliseconds; short, because a person is waiting at the terminal. */
const PATIENCE_MS = 3_000;
const PATIENCE = { connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS };
const LIMITS = { statement: PATIENCE_MS, lock: PATIENCE_MS, idleInTransaction: PATIENCE_MS };

/** Reads the service's database on its own connection, without the service. */
export class DatabaseProbe {
  private constructor(private readonly client: pg.Client) {}

  /** @throws SharedSessionsError behind a pooler with which no instance starts */
  static async open(url: string): Promise<DatabaseProbe> {
    await DatabaseProbe.refuseSharedSessions(url);
    const client = new pg.Client({ connectionString: url, application_name: 'gatehouse-doctor', ...PATIENCE });
    // Without a listener, an error on an idle connection would end the process.
    client.on('error', () => undefined);
    await client.connect();
    await prepareSession(client, LIMITS, PATIENCE_MS);
    await client.query(MEET_EVERY_TENANT);
    return new DatabaseProbe(client);
  }

  /** On connections that prepare nothing: behind such a pooler, others would meet it. */
  private static async refuseSharedSessions(url: string): Promise<void> {
    const pool = new pg.Pool({ connectionString: url, application_name: 'gatehouse-doctor', max: 2, ...PATIENCE });
    pool.on('error', () => undefined);
    try {
      await refuseSharedSessions(pool);
    } finally {
      await pool.end();
    }
  }

  async server(): Promise<Omit<DatabaseState, 'pendingMigrations'>> {
    const [row] = await this.rows<Omit<DatabaseState, 'pendingMigrations'>>(SERVER);
    if (!row) throw new Error('no version came back');
    return row;
  }

  async now(): Promise<Date> {
    const [row] = await this.rows<{ now: Date }>(NOW);
    if (!row) throw new Error('no time came back');
    return row.now;
  }

  async pendingMigrations(): Promise<string[]> {
    const [migrated] = await this.rows<{ found: boolean }>(MIGRATED);
    const applied = migrated?.found ? await this.rows<{ name: string }>(APPLIED) : [];
    const seen = new Set(applied.map(({ name }) => name));
    return MIGRATIONS.map(({ name }) => name).filter((name) => !seen.has(name));
  }

  /** Null before the first start. */
  async rightsOnTrail(): Promise<TrailRights | null> {
    return (await this.rows<TrailRights>(TRAIL))[0] ?? null;
  }

  /** Empty before the first start. */
  rightsOnKeys(): Promise<KeyRights[]> {
    return this.rows<KeyRights>(KEYS);
  }

  /** Nodes configured by environments and organizations; empty before the first start. */
  async chainNodes(): Promise<ChainNode[]> {
    return (await this.pendingMigrations()).length > 0 ? [] : this.rows<ChainNode>(NODES);
  }

  /** SMS gateways enabled by environments, null for accounts at the vendor; empty before the first start. */
  async smsGateways(): Promise<(string | null)[]> {
    if ((await this.pendingMigrations()).length > 0) return [];
    return (await this.rows<{ host: string | null }>(SMS_GATEWAYS)).map(({ host }) => host);
  }

  /** Versions of wallets held by custodians of extensions; empty before the first start. */
  async heldVersions(): Promise<CustodyVersion[]> {
    if ((await this.pendingMigrations()).length > 0) return [];
    return (await this.rows<{ version: CustodyVersion }>(HELD)).map(({ version }) => version);
  }

  /** Null before the first start. */
  async storedSecret(name: string): Promise<Buffer | null> {
    if ((await this.pendingMigrations()).length > 0) return null;
    return (await this.rows<{ sealed: Buffer }>(SECRET, [name]))[0]?.sealed ?? null;
  }

  /** By the names that rows give, without opening any. */
  async usedKeys(): Promise<UsedKey[]> {
    const used: UsedKey[] = [];
    for (const { name, table } of await this.rows<{ name: string; table: string }>(SEALED_TABLES)) {
      const keys = await this.rows<{ keyId: string }>(masterKeysIn(table));
      used.push(...keys.filter(({ keyId }) => keyId !== MIXED_KEYS).map(({ keyId }) => ({ table: name, keyId })));
    }
    return used;
  }

  async rowSecurity(): Promise<RowSecurityState> {
    const [role] = await this.rows<{ bypasses: boolean }>(BYPASSES);
    return { bypasses: role?.bypasses ?? true, tables: await this.rows<TenantTable>(TENANT_TABLES) };
  }

  /** Null before the first start. */
  async consoleEnvironmentId(): Promise<string | null> {
    if ((await this.pendingMigrations()).length > 0) return null;
    return (await this.rows<{ id: string }>(CONSOLE))[0]?.id ?? null;
  }

  close(): Promise<void> {
    return this.client.end();
  }

  private async rows<R extends object>(statement: Statement, values: unknown[] = []): Promise<R[]> {
    return (await this.client.query<R>({ ...statement, values })).rows;
  }
}
