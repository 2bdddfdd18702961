import { defineEvent } from '../../database/index.js';
import { SecurityEvent } from '../../common/security/index.js';
import { AskedExport } from './export.dto.js';

export const EXPORT_CREATED = defineEvent('export.created', 'A file of users or visits was asked for.', {
  payload: AskedExport,
  security: SecurityEvent.SecretRevealed,
});
