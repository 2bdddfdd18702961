import { defineEnum, type EnumValue } from '../common/fields/index.js';

/** What an environment API token may be allowed to do; exactly these fourteen. */
export const TOKEN_SCOPES = defineEnum('TokenScopes', [
  'waas.delegatedAccess.signMessage',
  'waas.authenticate',
  'environment.settings.read',
  'environment.settings.write',
  'environment.apiTokens.read',
  'environment.apiTokens.write',
  'environment.users.read',
  'environment.users.write',
  'environment.analytics.read',
  'environment.webhooks.read',
  'environment.webhooks.write',
  'environment.events.read',
  'environment.events.write',
  'environment.balances.read',
]);

export type TokenScope = EnumValue<typeof TOKEN_SCOPES>;
