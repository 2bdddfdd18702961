import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { CHAINS } from '../../src/identity/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { shownNames, unknownNames, type ShownNames } from '../support/chain-names.js';
import { listOperations } from '../support/contract/openapi-document.js';
import { eventsOf, fillRows } from '../support/rows.js';
import { apiDocument, isDestructive, operations, type ApiOperation } from '../support/surface/operations.js';
import { RawClient } from '../support/surface/raw-client.js';
import { Tenant } from '../support/surface/tenant.js';
import { validCall } from '../support/surface/valid-call.js';
import { enableChains } from '../support/wallet-sign-in.js';
import { newEmail, World } from '../support/world.js';

let test: TestApp;
let tenant: Tenant;
let client: RawClient;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await Tenant.create(test);
  client = new RawClient(test.url);
  await addWallets(CHAINS.values);
});
/** Wallets of these chains, of one user or of all. */
const addWallets = (chains: readonly string[], userId: string | null = null): Promise<void> =>
  fillRows(
    test,
    `INSERT INTO credentials (environment_id, id, user_id, format, address, public_identifier, chain, verified_at)
     SELECT u.environment_id, gen_random_uuid(), u.id, 'blockchain', 'a' || c, 'a' || c, c, now()
     FROM users u, unnest($2::text[]) c WHERE u.environment_id = $1 AND u.id = coalesce($3, u.id)`,
    [tenant.world.environmentId, chains, userId],
  );
afterAll(async () => {
  client.close();
  await tenant.close();
  await test.close();
});

/** The schemas that an answer of an operation can contain. */
function schemasOf(value: unknown, seen = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) schemasOf(item, seen);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      const name = key === '$ref' ? String(part).split('/').at(-1)! : null;
      if (name === null) schemasOf(part, seen);
      else if (!seen.has(name)) {
        seen.add(name);
        schemasOf(apiDocument.components?.schemas?.[name], seen);
      }
    }
  }
  return seen;
}

const answers = new Map(
  listOperations(apiDocument).map(({ operationId, operation }) => {
    const responses = Object.entries(operation.responses ?? {});
    return [operationId, responses.filter(([status]) => status.startsWith('2')).map(([, response]) => response)];
  }),
);
const shows = (schema: string): ApiOperation[] => operations.filter(({ id }) => schemasOf(answers.get(id)).has(schema));

async function namesIn(operation: ApiOperation): Promise<ShownNames> {
  const answer = await client.send(await validCall(tenant, operation));
  expect(`${operation.id} ${answer.status}`).toMatch(/ 2\d\d$/);
  return shownNames(answer.body);
}

const byId = (list: ApiOperation[]): [string, ApiOperation][] => list.map((operation) => [operation.id, operation]);
/** Their users are those of the dashboard, who have no wallets. */
const CONSOLE = new Set(['getOrganizationMembers', 'updateMemberRole']);

describe('a name of a chain that clients could not read', () => {
  it('is found, wherever it stands', () => {
    const answer = {
      user: { verifiedCredentials: [{ format: 'blockchain', chain: 'EVM' }] },
      networks: [{ chainName: 'SOL', networks: [] }],
    };
    expect(unknownNames(shownNames(answer))).toEqual(['EVM', 'SOL']);
    expect(unknownNames(shownNames({ format: 'blockchain', chain: 'eip155' }))).toEqual([]);
  });

  it.each(byId(shows('VerifiedCredential').filter(({ id }) => !CONSOLE.has(id))))(
    'is in no credential that %s shows',
    async (_, operation) => {
      expect(unknownNames(await namesIn(operation))).toEqual([]);
    },
  );

  it.each(byId(shows('NetworkConfigurationResponse').filter((operation) => !isDestructive(operation))))(
    'is in no chain with networks that %s shows',
    async (_, operation) => {
      expect(unknownNames(await namesIn(operation))).toEqual([]);
    },
  );

  // As many as a token has room for.
  it.each(
    Array.from({ length: Math.ceil(CHAINS.values.length / 8) }, (_, at) => CHAINS.values.slice(8 * at, 8 * at + 8)),
  )('is in no token of somebody with wallets of %s and others', async (...chains) => {
    const { world } = tenant;
    const email = newEmail();
    await addWallets(chains, (await world.signIn(email)).userId);
    const signedIn = await world.signIn(email);
    const claims = shownNames(decodeJwt(signedIn.jwt));
    expect(claims.credentials.length).toBeGreaterThanOrEqual(chains.length);
    expect(unknownNames(claims)).toEqual([]);
    expect(shownNames(signedIn.body).credentials.toSorted()).toEqual(claims.credentials.toSorted());
  });

  it('is in no event', async () => {
    const { world, endUser } = tenant;
    await world.anonymous.put(world.sdk('/users'), { alias: 'named' }, { token: endUser.jwt, expect: 200 });
    const events = await eventsOf(test, world.environmentId, endUser.userId);
    const shown = shownNames(events.map(({ data }) => data));
    expect(shown.credentials.length).toBeGreaterThanOrEqual(CHAINS.values.length);
    expect(unknownNames(shown)).toEqual([]);
  });

  it('is reported for no chain that an environment can enable', async () => {
    const world = await World.create(test);
    const chains = CHAINS.values.filter((chain) => chain !== 'ETH');
    await enableChains(world, Object.fromEntries(chains.map((chain) => [chain, [1, 101]])));
    const { body } = await world.anonymous.get<unknown[]>(world.sdk('/networks'), { expect: 200 });
    const { networks } = shownNames(body);
    expect(networks.length).toBeGreaterThanOrEqual(8);
    expect(unknownNames({ credentials: [], networks })).toEqual([]);
  });
});
