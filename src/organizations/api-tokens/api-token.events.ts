import { defineEvent } from '../../database/index.js';

export const API_TOKEN_CREATED = defineEvent('apiToken.created', 'An API token of the environment was created.');
export const API_TOKEN_DELETED = defineEvent('apiToken.deleted', 'An API token of the environment was deleted.');
