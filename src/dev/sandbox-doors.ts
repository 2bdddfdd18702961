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

/** Points providers with the development client or bot at the built-in identity provider and messaging network. */
export function placeIdentity(app: INestApplicationContext, base: string): void {
  const home = `${base}/${IDENTITY_PATH}`;
  const addresses = { authorize: `${home}/authorize`, token: `${home}/token`, profile: `${home}/user`, api: home };
  app.get(ProviderAddresses).place(DEVELOPMENT_CLIENT, addresses);
  const network = `${base}/${MESSAGING_PATH}`;
  app.get(ProviderAddresses).place(DEVELOPMENT_BOT, { api: network, authorize: network });
}

/** A fictitious account: text messages go to the development inbox and nothing is sent. */
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

/** All kinds of second factors are allowed, none is required. */
const SECOND_FACTORS = {
  enabled: true,
  required: false,
  methods: ['totp', 'passkey', 'email'].map((type) => ({ type, enabled: true, allowBackupCodes: true })),
};

/** Enables in the sandbox what /dev/app demonstrates. */
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

/** Updates the imitated bot's token after the secret of this folder has changed. */
export async function renewBotToken(app: INestApplicationContext, quickstart: Quickstart): Promise<void> {
  const sandbox = sandboxOf(quickstart);
  const bot = await app.get(EnabledProviders).find(sandbox, 'telegram');
  if (bot?.configuration.clientId !== DEVELOPMENT_BOT) return;
  const clientSecret = tokenOf(app);
  if (await bot.withSecret((known) => known === clientSecret)) return;
  await app.get(ProvidersService).update(sandbox, bot.id, { clientSecret }, SERVICE);
}

/** Allows the service's own origin in the sandbox, whatever its port. */
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
