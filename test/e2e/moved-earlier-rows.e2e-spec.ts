import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mintEnvironmentId } from '../../src/auth/index.js';
import { Database } from '../../src/database/index.js';
import {
  ArchiveReader,
  EnvironmentExport,
  EnvironmentImport,
  MovingParts,
  newOperatorKey,
  parseOperatorPublicKey,
  parseOperatorSecret,
} from '../../src/moving/index.js';
import { ArchiveWriter, readArchive } from '../../src/moving/archive-file.js';
import { HEAD, MANIFEST, type ArchiveHead } from '../../src/moving/archive-format.js';
import { generateMasterKey } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

const MISSED = [
  'TakeSignInFromEmbeddedWallets20261127120001',
  'FillKeysOfUpgradedWallets20261128132000',
  'CompareTextsOfCustomFields20261130150000',
];
const FIELD = { name: 'Nickname', enabled: true, required: false, fieldType: 'text', position: 1 };

/** Their column is derived from another one at each import. */
const DERIVED = ['FillFormsOfEmails20261127190001', 'FillFormsOfLateEmails20261128131000'];

/** With digests that match. */
async function written(from: string, to: string, change: (name: string, text: string) => string): Promise<string> {
  const writer = new ArchiveWriter(to);
  for await (const { name, bytes } of readArchive(from)) {
    const text = name === MANIFEST ? JSON.stringify({ members: writer.members }) : change(name, bytes.toString());
    await writer.add(name, text);
  }
  await writer.end();
  return to;
}

/** As an installation would have written it that lacked the migrations. */
function withoutMissed(name: string, text: string): string {
  if (name !== HEAD) return text;
  const head = JSON.parse(text) as ArchiveHead;
  const migrations = head.migrations!.filter((one) => !MISSED.includes(one));
  return JSON.stringify({ ...head, migrations, migration: migrations.at(-1) });
}

describe('rows that move from a version before migrations that changed such rows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-earlier-'));
  let here: TestApp;
  let there: TestApp;
  let world: World;
  let owner: string;
  let people: string[];
  let whole: string;
  let secret: Uint8Array;

  const installation = () =>
    startTestApp({
      ownDatabase: true,
      masterKey: generateMasterKey(),
      env: { ROLE: 'api', DATABASE_WAIT_MS: '30000' },
    });
  const take = async ({ app }: TestApp, path: string): Promise<void> => {
    const archive = await app.get(ArchiveReader).verify(path);
    await app.get(EnvironmentImport).run(archive, mintEnvironmentId(archive.head.environmentId), secret);
  };
  const createUser = async (metadata = {}): Promise<string> => {
    const { body } = await world.api.post<{ user: { id: string } }>(
      world.path('/users'),
      { email: newEmail(), metadata },
      { expect: 201 },
    );
    return body.user.id;
  };
  /** What versions before the migrations stored. */
  const age = async (key: string): Promise<void> => {
    await rowsOf(
      here,
      'UPDATE credentials SET sign_in_enabled = true, verified_at = now() WHERE wallet_id IS NOT NULL',
    );
    await rowsOf(
      here,
      `INSERT INTO identifier_claims (environment_id, kind, identifier, user_id, proven_at)
       SELECT environment_id, 'wallet', 'eip155:' || lower(address), user_id, now() FROM wallets WHERE chain = 'EVM'`,
    );
    await rowsOf(
      here,
      `UPDATE wallets SET version = 'V3', seed_id = gen_random_uuid(), account_index = NULL, derivation_path = NULL
       WHERE chain = 'SOL'`,
    );
    await rowsOf(
      here,
      `UPDATE custom_field_values v SET is_unique = true,
         value_hash = sha256(convert_to((u.metadata -> $1)::text, 'UTF8'))
       FROM users u WHERE u.id = v.user_id`,
      [key],
    );
    await rowsOf(here, 'UPDATE custom_fields SET is_unique = true');
  };

  beforeAll(async () => {
    [here, there] = [await installation(), await installation()];
    world = await World.create(here);
    owner = await createUser();
    const wanted = { identifier: owner, type: 'id', chains: ['EVM', 'SOL'] };
    await world.api.post(world.path('/embeddedWallets'), wanted, { expect: 201 });
    const { key } = (await world.api.post<{ key: string }>(world.path('/custom/fields'), FIELD, { expect: 201 })).body;
    people = [];
    for (const name of ['plain', 'Zoe\u0301', ' Zoe\u0301', ' plain']) people.push(await createUser({ [key]: name }));
    await age(key);
    const operator = await newOperatorKey();
    secret = parseOperatorSecret(operator.secret);
    whole = join(folder, 'whole.tar.gz');
    await here.app
      .get(EnvironmentExport)
      .write(world.environmentId, whole, await parseOperatorPublicKey(operator.publicKey));
    await take(there, await written(whole, join(folder, 'earlier.tar.gz'), withoutMissed));
  }, 120_000);
  afterAll(async () => {
    await Promise.all([here.close(), there.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('let no embedded wallet sign anybody in', async () => {
    const proven =
      'SELECT id FROM credentials WHERE wallet_id IS NOT NULL AND (sign_in_enabled OR verified_at IS NOT NULL)';
    const claimed = "SELECT identifier FROM identifier_claims WHERE kind = 'wallet'";
    expect(await rowsOf(here, proven)).toHaveLength(2);
    expect([await rowsOf(there, proven), await rowsOf(there, claimed)]).toEqual([[], []]);
  });

  it('know the seed of a wallet whose key is shared by now', async () => {
    const [seed] = await rowsOf<{ id: string }>(there, 'SELECT id FROM wallet_seeds WHERE user_id = $1', [owner]);
    const noted = 'SELECT chain, upgraded_from AS "from" FROM wallets WHERE user_id = $1 ORDER BY chain';
    expect(await rowsOf(there, noted, [owner])).toEqual([
      { chain: 'EVM', from: null },
      { chain: 'SOL', from: seed!.id },
    ]);
  });

  it('have unique texts that are compared as here: one of two users keeps one', async () => {
    const kept = 'SELECT user_id AS id FROM custom_field_values ORDER BY user_id';
    expect((await rowsOf<{ id: string }>(here, kept)).map(({ id }) => id)).toEqual(people);
    expect((await rowsOf<{ id: string }>(there, kept)).map(({ id }) => id)).toEqual(people.slice(0, 2));
  });

  it('are of no later version that changed others', () => {
    const { moving } = here.app.get(MovingParts);
    const tables = new Set(moving.map(({ entity }) => here.app.get(Database).metadataOf(entity).tableName));
    const changed = globSync('migrations/2026*.ts').flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const [, name = ''] = /class (\w+)/.exec(text) ?? [];
      const written = [...text.matchAll(/\b(?:UPDATE|DELETE FROM|INSERT INTO) (\w+)/g)].map(([, table]) => table!);
      return file > 'migrations/20261127' && written.some((table) => tables.has(table)) ? [name] : [];
    });
    expect(changed.toSorted()).toEqual([...MISSED, ...DERIVED].toSorted());
  });

  it.each([
    ['that is no JSON', (text: string) => `{${text}`, 'users/000001.ndjson has a row that cannot be read.'],
    ['that is nothing', (text: string) => `null\n${text}`, 'users/000001.ndjson has a row that cannot be read.'],
    [
      'with a time that is none',
      (text: string) => text.replace(/"created_at": *"[^"]*"/, '"created_at":"never"'),
      /^users\/000001\.ndjson has a row without a place here: .*"never"/,
    ],
  ])('are refused in words for a row %s', async (_, change, problem) => {
    const elsewhere = await installation();
    try {
      const path = join(folder, `${performance.now()}.tar.gz`);
      await written(whole, path, (name, text) => (name.startsWith('users/') ? change(text) : text));
      await expect(take(elsewhere, path)).rejects.toMatchObject({
        ...{ name: 'MovingRefusedError', message: expect.stringMatching(problem) },
      });
    } finally {
      await elsewhere.close();
    }
  });
});
