import { randomBytes } from 'node:crypto';
import { createReadStream, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SanctionsImport } from '../../../../src/access-control/index.js';
import { AccessSweepJob } from '../../../../src/access-control/decisions/access-sweep.job.js';
import { newEmail } from '../../world.js';
import { newAddress, word } from '../records.js';
import { keepOne } from '../room.js';
import type { OperationSurface, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

const gate = (name: string) => ({
  name,
  outcome: 'scope',
  scope: word(),
  rules: [
    { type: 'token', chain: 'EVM', address: { networkId: 1, contractAddress: newAddress() }, filter: { amount: 1.5 } },
  ],
});
const list = (name: string) => ({ name, outcome: 'scope', scope: word() });
const entry = (marker: string) => ({
  email: newEmail(),
  alias: `${marker} ${word()}`,
  frameappFid: randomBytes(4).readUInt32BE() + 1,
});

async function makeGate({ world, marker }: Tenant): Promise<string> {
  const made = await world.api.post<{ id: string }>(world.path('/gates'), gate(`${marker} ${word()}`), { expect: 201 });
  return made.body.id;
}

async function makeAllowlist({ world, marker }: Tenant): Promise<string> {
  const body = list(`${marker} ${word()}`);
  return (await world.api.post<{ id: string }>(world.path('/allowlists'), body, { expect: 201 })).body.id;
}

async function makeEntry(tenant: Tenant): Promise<string> {
  const { world, marker } = tenant;
  const path = `/allowlists/${await tenant.idOf('allowlistId')}/entries`;
  return (await world.api.post<{ id: string }>(path, entry(marker), { expect: 201 })).body.id;
}

/** A file with one person who is on no list. */
async function entryFile(tenant: Tenant): Promise<string[]> {
  const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-entries-')), 'entries.csv');
  writeFileSync(file, `email\n${newEmail()}\n`);
  const allowlist = await tenant.makeRecord('allowlistId');
  return ['--environment', tenant.world.environmentId, '--allowlist', allowlist, '--file', file];
}

/** Switches it to the other state first, so that there is something to do. */
const after =
  (turned: 'enable' | 'disable', what: 'gate' | 'allowlist'): NonNullable<OperationSurface['request']> =>
  async ({ db, ids }) => {
    const [table, id] = what === 'gate' ? ['gates', ids['gateId']] : ['allowlists', ids['allowlistId']];
    const enabledAt = turned === 'enable' ? 'now()' : 'NULL';
    await db.query(`UPDATE ${table} SET enabled_at = ${enabledAt} WHERE id = $1`, [id]);
    return {};
  };

/** A list, and the switch in the other state, so that there is something to do. */
const screening =
  (isOn: boolean): NonNullable<OperationSurface['request']> =>
  async ({ world, db }) => {
    await db.query(
      `INSERT INTO sanctions_lists (id, digest, addresses)
       SELECT gen_random_uuid(), 'test', '[]' WHERE NOT EXISTS (SELECT 1 FROM sanctions_lists)`,
    );
    await world.api.get(world.path('/integrations/screening'), { expect: 200 });
    await db.query('UPDATE screening_integrations SET sanctions_api_enabled = $2 WHERE environment_id = $1', [
      world.environmentId,
      isOn,
    ]);
    return {};
  };

/** A list with one address. */
async function sanctionsFile(): Promise<string[]> {
  const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-sanctions-')), 'sdn.xml');
  const id = `<id><idType>Digital Currency Address - ETH</idType><idNumber>${newAddress()}</idNumber></id>`;
  writeFileSync(file, `<sdnList><sdnEntry><uid>1</uid><idList>${id}</idList></sdnEntry></sdnList>`);
  return ['--file', file];
}

/** An address that becomes listed, and an attempt to attach it. */
async function aListedWallet({ world, db }: Tenant): Promise<void> {
  const [, file] = await sanctionsFile();
  await world.test.app.get(SanctionsImport).import(createReadStream(file!, 'utf8') as AsyncIterable<string>, true);
  const [, address] = /<idNumber>(\w+)/.exec(readFileSync(file!, 'utf8'))!;
  await world.api.put(world.path('/integrations/screening/sanctions/enable'), undefined, { expect: 200 });
  const wallet = { chain: 'EVM', walletName: 'test', walletProvider: 'browserExtension' };
  const body = { email: newEmail(), wallets: [{ ...wallet, publicWalletAddress: address }] };
  await world.api.post(world.path('/users'), body, { expect: 403 });
  await db.query('UPDATE screening_integrations SET sanctions_api_enabled = false WHERE environment_id = $1', [
    world.environmentId,
  ]);
}

/** A user granted a scope by a gate that was deleted. */
async function aScopeIsLost({ world, db }: Tenant): Promise<void> {
  const { userId } = await world.signIn(newEmail());
  await db.query(
    `INSERT INTO access_grants (environment_id, user_id, scopes, swept_at)
     VALUES ($1, $2, '{gone}', now() - interval '1 hour')
     ON CONFLICT (environment_id, user_id) DO UPDATE SET scopes = excluded.scopes, swept_at = excluded.swept_at`,
    [world.environmentId, userId],
  );
  await world.test.app.get(AccessSweepJob).run();
}

export const surface: Surface = {
  records: {
    gateId: { make: makeGate },
    allowlistId: { make: makeAllowlist },
    allowlistEntryId: { make: makeEntry },
  },
  operations: {
    createGate: {
      request: async (tenant) => {
        await keepOne('gates', 'environmentId', 'gateId')(tenant);
        return { body: gate(word()) };
      },
    },
    updateGate: { request: () => ({ body: gate(word()) }) },
    enableGate: { request: after('disable', 'gate') },
    disableGate: { request: after('enable', 'gate') },
    getGateTrial: {
      request: () => ({ query: 'address=4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T' }),
      rulesBeyondTheSchema: /^(userId|address): /,
    },
    createAllowlistByEnvironmentId: {
      request: async (tenant) => {
        await keepOne('allowlists', 'environmentId', 'allowlistId')(tenant);
        return { body: list(word()) };
      },
    },
    updateAllowlistById: { request: () => ({ body: list(word()) }) },
    enableAllowlistById: { request: after('disable', 'allowlist') },
    disableAllowlistById: { request: after('enable', 'allowlist') },
    getEntriesByAllowlistId: { request: () => ({ query: 'orderBy=createdAt-desc&limit=5&query=a' }) },
    postEntryByAllowlistId: { request: ({ marker }) => ({ body: entry(marker) }) },
    enableSanctionsApiByEnvironmentId: { request: screening(false) },
    disableSanctionsApiByEnvironmentId: { request: screening(true) },
  },
  scenarios: { 'a wallet that is listed': aListedWallet, 'a scope that is lost': aScopeIsLost },
  commands: {
    'allowlists import': { options: entryFile },
    'screening import': {
      options: sanctionsFile,
      untold: "the list is the deployment's, and no environment is told",
    },
  },
};
