import { SecurityEvent } from '../../common/security/index.js';
import { DateField, UuidField } from '../../common/fields/index.js';
import { defineEvent } from '../../database/index.js';

class SigningKeyPayload {
  @UuidField({ description: 'The `kid` of the key in the set.' })
  id!: string;

  @DateField({ description: 'When it may begin to sign.' })
  usableAt!: Date;
}

export const SIGNING_KEY_PUBLISHED = defineEvent(
  'signingKey.published',
  'The next key for tokens is in the key set. Verifiers that keep the set fetch it anew within a day.',
  { payload: SigningKeyPayload, security: SecurityEvent.SecretChanged },
);
export const SIGNING_KEY_REVOKED = defineEvent(
  'signingKey.revoked',
  'A key for tokens was taken out of the key set at once. Nothing that it has signed holds any more.',
  { payload: SigningKeyPayload, security: SecurityEvent.SecretChanged },
);
export const SIGNING_KEY_PROMOTED = defineEvent(
  'signingKey.promoted',
  'A published key signs the tokens from now on.',
  {
    payload: SigningKeyPayload,
    security: SecurityEvent.SecretChanged,
  },
);
