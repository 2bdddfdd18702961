import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { generateMasterKey } from '../../src/vault/index.js';
import { Accounts, codeOf } from '../support/accounts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { TestClient } from '../support/client.js';
import { createDatabase, withClient, type TestDatabase } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { ServiceProcess } from '../support/service-process.js';
import { World, newEmail, type SignedIn } from '../support/world.js';

const PUBLIC_URL = 'https://gatehouse.test';

/** Rows that somebody else holds, so that the merge waits there: `$1` is the user who goes, `$2` the one who remains. */
const POINTS = [
  ['before anything', 'SELECT 1 FROM users WHERE id = $1 AND $2::uuid IS NOT NULL FOR UPDATE'],
  ['when the offer is taken', 'SELECT 1 FROM pending_merges WHERE other_user_id = $1 AND user_id = $2 FOR UPDATE'],
  ['when sessions end', 'SELECT 1 FROM sessions WHERE user_id = $1 AND $2::uuid IS NOT NULL FOR UPDATE'],
  ['when credentials move', 'SELECT 1 FROM credentials WHERE user_id = $1 AND $2::uuid IS NOT NULL FOR UPDATE'],
  ['when claims move', 'SELECT 1 FROM identifier_claims WHERE user_id = $1 AND $2::uuid IS NOT NULL FOR UPDATE'],
] as const;

describe('a merge whose instance is killed', () => {
  const masterKey = generateMasterKey();
  let database: TestDatabase;
  let survivor: TestApp;
  let world: World;
  let accounts: Accounts;

  beforeAll(async () => {
    database = await createDatabase();
    survivor = await startTestApp({ databaseUrl: database.url, masterKey, env: { PUBLIC_URL } });
    world = await World.create(survivor);
    accounts = new Accounts(world);
  }, 90_000);
  afterAll(async () => {
    await survivor?.close();
    await database?.drop();
  });

  const start = (): Promise<ServiceProcess> =>
    ServiceProcess.start({
      ...{ PORT: '0', DATABASE_URL: database.url, MASTER_KEY: masterKey, PUBLIC_URL },
      DATA_DIR: mkdtempSync(join(tmpdir(), 'gatehouse-merging-')),
    });

  /** Kills the instance while the merge waits for rows that are held here. */
  async function killAt(holding: string, ada: SignedIn, eve: SignedIn): Promise<void> {
    const service = await start();
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(holding, [eve.userId, ada.userId]);
      const lost = new TestClient(service.url).post(world.sdk('/users/merge'), undefined, { token: ada.jwt }).then(
        () => 'answered',
        () => 'lost',
      );
      await eventually('the merge waits', () =>
        withClient(database.url, async (client) => {
          const { rows } = await client.query<{ waits: number }>(
            "SELECT count(*)::int AS waits FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
          );
          return rows[0]!.waits > 0;
        }),
      );
      expect(await service.end('SIGKILL')).toBeNull();
      expect(await lost).toBe('lost');
    } finally {
      await holder.query('ROLLBACK');
      await holder.end();
      await service.discard();
    }
  }

  it.each(POINTS)(
    '%s has changed nothing, and can be asked for again',
    async (_, holding) => {
      const [ada, eve] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
      expect(codeOf(await accounts.verifyEmail(ada.jwt, eve.email))).toBe('merge_accounts_confirmation');
      await killAt(holding, ada, eve);
      expect((await accounts.user(eve.userId)).verifiedCredentials.map(({ email }) => email)).toEqual([eve.email]);
      expect((await accounts.user(ada.userId)).verifiedCredentials.map(({ email }) => email)).toEqual([ada.email]);
      expect(await rowsOf(survivor, 'SELECT 1 FROM user_merges WHERE user_id = $1', [ada.userId])).toEqual([]);
      expect(await accounts.isLive(eve.jwt)).toBe(true);
      const again = await accounts.post('/users/merge', ada.jwt);
      expect(again.status).toBe(200);
      expect(again.body.user.verifiedCredentials).toHaveLength(2);
    },
    120_000,
  );
});
