import { defineEnum, type EnumValue } from '../common/fields/index.js';

/** The scopes of environment API tokens. */
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
