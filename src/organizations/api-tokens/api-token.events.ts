import { SecurityEvent } from '../../common/security/index.js';
import { defineEvent } from '../../database/index.js';
import { EnvironmentApiToken, PersonalTokenPayload } from './api-token.dto.js';

export const API_TOKEN_CREATED = defineEvent('apiToken.created', 'An API token of the environment was created.', {
  payload: EnvironmentApiToken,
  security: SecurityEvent.CredentialIssued,
});
export const API_TOKEN_DELETED = defineEvent('apiToken.deleted', 'An API token of the environment was deleted.', {
  payload: EnvironmentApiToken,
  security: SecurityEvent.CredentialRemoved,
});
export const PERSONAL_TOKEN_CREATED = defineEvent(
  'personalToken.created',
  'A member created a personal API token; sent in the console environment.',
  {
    payload: PersonalTokenPayload,
    security: SecurityEvent.CredentialIssued,
  },
);
export const PERSONAL_TOKEN_DELETED = defineEvent(
  'personalToken.deleted',
  'A member removed a personal API token; sent in the console environment.',
  {
    payload: PersonalTokenPayload,
    security: SecurityEvent.CredentialRemoved,
  },
);
