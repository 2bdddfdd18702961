import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId, type EnvironmentId } from '../auth/index.js';
import { ApiError } from '../common/errors/index.js';
import { Config } from '../config/index.js';
import { duplicateExists, UnitOfWork } from '../database/index.js';
import { EnvironmentSettingsService, OriginsService } from '../environments/index.js';
import { SERVICE } from '../organizations/index.js';
import { EnabledProviders, ProviderAddresses, ProvidersService } from '../providers/index.js';
import { DEVELOPMENT_CLIENT, IDENTITY_PATH } from './identity/development-identity.js';
import { botToken, DEVELOPMENT_BOT, MESSAGING_PATH } from './identity/imitated-messaging.js';
import type { Quickstart } from './quickstart.js';

/** Where the provider of identities and the imitated messaging network are, for every provider whose client is theirs. */
export function placeIdentity(app: INestApplicationContext, base: string): void {
  const home = `${base}/${IDENTITY_PATH}`;
  const addresses = { authorize: `${home}/authorize`, token: `${home}/token`, profile: `${home}/user`, api: home };
  app.get(ProviderAddresses).place(DEVELOPMENT_CLIENT, addresses);
  const network = `${base}/${MESSAGING_PATH}`;
  app.get(ProviderAddresses).place(DEVELOPMENT_BOT, { api: network, authorize: network });
}

/** Codes by text message land in the inbox: this account is nobody's, and nothing is sent there. */
const TEXT_MESSAGES = {
  accountSid: DEVELOPMENT_CLIENT,
  clientSecret: DEVELOPMENT_CLIENT,
  smsSenderNumber: '+15005550006',
  enabledCountries: [
    { isoCountryCode: 'CH', phoneCountryCode: '41' },
    { isoCountryCode: 'DE', phoneCountryCode: '49' },
    { isoCountryCode: 'GB', phoneCountryCode: '44' },
    { isoCountryCode: 'US', phoneCountryCode: '1' },
  ],
};

/** Users may have second factors of every kind; nobody has to. */
const SECOND_FACTORS = {
  enabled: true,
  required: false,
  methods: ['totp', 'passkey', 'email'].map((type) => ({ type, enabled: true, allowBackupCodes: true })),
};

/** Has the sandbox offer what /dev/app tries. */
export async function openSandboxDoors(app: INestApplicationContext, quickstart: Quickstart): Promise<void> {
  const [providers, work] = [app.get(ProvidersService), app.get(UnitOfWork)];
  const sandbox = sandboxOf(quickstart);
  const client = { clientId: DEVELOPMENT_CLIENT, clientSecret: DEVELOPMENT_CLIENT };
  const bot = { clientId: DEVELOPMENT_BOT, clientSecret: tokenOf(app) };
  for (const made of [
    await providers.create(sandbox, 'github', client, SERVICE, work),
    await providers.create(sandbox, 'sms', TEXT_MESSAGES, SERVICE, work),
    await providers.create(sandbox, 'telegram', bot, SERVICE, work),
  ])
    await providers.enable(sandbox, made.id!, SERVICE);
  const settings = { security: { mfa: SECOND_FACTORS } };
  await app.get(EnvironmentSettingsService).update(sandbox, settings, { actor: SERVICE });
}

/** The imitated bot of a sandbox that was made with another token, or before its folder got another secret. */
export async function renewBotToken(app: INestApplicationContext, quickstart: Quickstart): Promise<void> {
  const sandbox = sandboxOf(quickstart);
  const bot = await app.get(EnabledProviders).find(sandbox, 'telegram');
  if (bot?.configuration.clientId !== DEVELOPMENT_BOT) return;
  const clientSecret = tokenOf(app);
  if (await bot.withSecret((known) => known === clientSecret)) return;
  await app.get(ProvidersService).update(sandbox, bot.id, { clientSecret }, SERVICE);
}

/** Pages of this service are a site of the sandbox, at whichever port they are. */
export async function admitOwnPages(app: INestApplicationContext, quickstart: Quickstart, base: string): Promise<void> {
  const { origin } = new URL(base);
  try {
    await app.get(OriginsService).add(sandboxOf(quickstart), { origin }, SERVICE, app.get(UnitOfWork));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== duplicateExists().code) throw error;
  }
}

const tokenOf = (app: INestApplicationContext): string => botToken(app.get(Config).get('DATA_DIR'));

const sandboxOf = ({ environments }: Quickstart): EnvironmentId => mintEnvironmentId(environments.sandbox.id);
