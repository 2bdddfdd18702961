import type { INestApplicationContext } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOKEN_SCOPES, type EnvironmentId } from '../auth/index.js';
import { AllowlistEntriesService, AllowlistsService, GatesService } from '../access-control/index.js';
import { ApiError } from '../common/errors/index.js';
import { provision, type Provisioned } from '../provisioning/index.js';
import { eventRegistry, UnitOfWork } from '../database/index.js';
import { OriginsService, TestAccountService } from '../environments/index.js';
import { CustomFieldsService, UserCreation } from '../identity/index.js';
import { ApiTokensService, PersonalTokensService, SERVICE } from '../organizations/index.js';
import { SERVICE as KEY_SERVICE } from '../custody/index.js';
import { EmbeddedWalletsService } from '../wallets/index.js';
import { WebhooksService } from '../webhooks/index.js';
import type { Quickstart, QuickstartEnvironment } from './quickstart.js';

const OWNER_EMAIL = 'owner@example.com';
const USERS = [
  { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', alias: 'ada' },
  { email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper', alias: 'grace' },
] as const;
const NAME_TAKEN = 'organization_name_already_exists';
const WALLET_OWNER = 'satoshi@example.com';

const FIELDS = [
  { name: 'Company', enabled: true, required: false, fieldType: 'text', position: 0 },
  { name: 'Newsletter', enabled: true, required: false, fieldType: 'checkbox', position: 1 },
] as const;
/** A gate for holders of at least one USDC. */
const HOLDERS: Parameters<GatesService['create']>[1] = {
  name: 'Dollar holders',
  outcome: 'scope',
  scope: 'holder',
  rules: [
    {
      type: 'token',
      address: { networkId: 1, contractAddress: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
      filter: { amount: 1 },
      chain: 'EVM',
    },
  ],
};

/** How long a first start waits for the demonstration delivery to fail, in milliseconds. */
const FAILURE_PATIENCE_MS = 3_000;
const POLL_MS = 20;

type Identifiers = Pick<
  Quickstart,
  'organizationId' | 'projectId' | 'consoleEnvironmentId' | 'environments' | 'dashboard'
>;

/**
 * Creates demo data: an organization with two environments, users, a wallet, a test account, fields and rules to enable,
 * and a webhook with a failed message.
 */
export async function seed(app: INestApplicationContext, catcherUrl: string): Promise<Identifiers> {
  const made = await provisionDemo(app);
  const owner = made.ownerUserId;
  const environments = {
    sandbox: await withToken(app, made.environments.sandbox, owner),
    live: await withToken(app, made.environments.live, owner),
  };
  await seedWebhook(app, made.environments.sandbox, catcherUrl);
  await seedUsers(app, made.environments.sandbox);
  await seedRules(app, made.environments.sandbox);
  // Lets pages on this machine use the sandbox at once, whatever port their tools use.
  for (const origin of ['http://localhost:*', 'http://127.0.0.1:*']) {
    await app.get(OriginsService).add(made.environments.sandbox, { origin }, SERVICE, app.get(UnitOfWork));
  }
  await app.get(TestAccountService).create(made.environments.sandbox, SERVICE, app.get(UnitOfWork));
  const personal = await app.get(PersonalTokensService).mint(made.consoleEnvironmentId, owner, { note: 'Quick start' });
  return {
    organizationId: made.organizationId,
    projectId: made.projectId,
    consoleEnvironmentId: made.consoleEnvironmentId,
    environments,
    dashboard: { email: OWNER_EMAIL, userToken: personal.rawToken },
  };
}

/** If the database already has the demo of another folder, whose tokens are unknown here, creates another one. */
async function provisionDemo(app: INestApplicationContext, number = 1): Promise<Provisioned> {
  const organization = number === 1 ? 'Acme' : `Acme ${number}`;
  try {
    return await provision(app, { organization, project: 'Storefront', ownerEmail: OWNER_EMAIL });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== NAME_TAKEN) throw error;
    return provisionDemo(app, number + 1);
  }
}

async function withToken(
  app: INestApplicationContext,
  id: EnvironmentId,
  createdBy: string,
): Promise<QuickstartEnvironment> {
  const token = await app
    .get(ApiTokensService)
    .mint(id, { note: 'Quick start', scopes: TOKEN_SCOPES.values, createdBy });
  return { id, apiToken: token.rawToken };
}

async function seedUsers(app: INestApplicationContext, environmentId: EnvironmentId): Promise<void> {
  const work = app.get(UnitOfWork);
  for (const user of USERS) await app.get(UserCreation).create(environmentId, user, SERVICE, work);
  const wallet = { identifier: WALLET_OWNER, type: 'email', chains: ['EVM', 'SOL'] } as const;
  const request = { ...wallet, chains: [...wallet.chains] };
  await app.get(EmbeddedWalletsService).create(environmentId, request, KEY_SERVICE, work);
}

/** Custom fields, a gate and an allowlist. They keep nobody out and read no chain until a member enables them. */
async function seedRules(app: INestApplicationContext, environmentId: EnvironmentId): Promise<void> {
  const by = [SERVICE, app.get(UnitOfWork)] as const;
  for (const field of FIELDS) await app.get(CustomFieldsService).create(environmentId, { ...field }, ...by);
  await app.get(GatesService).create(environmentId, HOLDERS, ...by);
  const invited = { name: 'Invited', outcome: 'scope', scope: 'invited' } as const;
  const { id } = await app.get(AllowlistsService).create(environmentId, invited, ...by);
  await app
    .get(AllowlistEntriesService)
    .add(environmentId, id, { email: USERS[0].email, alias: USERS[0].alias }, ...by);
}

/**
 * A webhook that first pointed at an address responding 410: its first message failed permanently, and can be redelivered
 * now that it points at the catcher.
 */
async function seedWebhook(
  app: INestApplicationContext,
  environmentId: EnvironmentId,
  catcherUrl: string,
): Promise<void> {
  const webhooks = app.get(WebhooksService);
  const gone = { url: `${catcherUrl}/gone`, isEnabled: true, events: [] };
  const { webhookId } = await webhooks.create(environmentId, gone, SERVICE, app.get(UnitOfWork));
  for (let waited = 0; waited < FAILURE_PATIENCE_MS; waited += POLL_MS) {
    if (!(await webhooks.get(environmentId, webhookId)).isEnabled) break;
    await sleep(POLL_MS);
  }
  const events = eventRegistry()
    .filter(({ selectable }) => selectable)
    .map(({ name }) => name);
  await webhooks.update(environmentId, webhookId, { url: catcherUrl, isEnabled: true, events }, SERVICE);
}
