import { defineEvent } from '../../database/index.js';
import { SecurityEvent } from '../../common/security/index.js';
import { AskedExport } from './export.dto.js';

export const EXPORT_CREATED = defineEvent('export.created', 'An export of users or visits was requested.', {
  payload: AskedExport,
  security: SecurityEvent.SecretRevealed,
});
