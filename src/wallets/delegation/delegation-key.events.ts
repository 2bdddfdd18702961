import { defineEvent } from '../../database/index.js';
import { DelegatedAccessEncryptionPublicKey } from './delegation-key.dto.js';

export const DELEGATION_KEY_CREATED = defineEvent(
  'delegatedAccess.key.created',
  'Another key was registered that shares are sealed to.',
  { payload: DelegatedAccessEncryptionPublicKey },
);
