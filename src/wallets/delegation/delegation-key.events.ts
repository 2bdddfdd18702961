import { defineEvent } from '../../database/index.js';
import { DelegatedAccessEncryptionPublicKey } from './delegation-key.dto.js';

export const DELEGATION_KEY_CREATED = defineEvent(
  'delegatedAccess.key.created',
  'A new encryption key for delegated access was registered.',
  { payload: DelegatedAccessEncryptionPublicKey },
);
