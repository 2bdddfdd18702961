import { SecurityEvent } from '../../common/security/index.js';
import { DateField, UuidField } from '../../common/fields/index.js';
import { defineEvent } from '../../database/index.js';

class SigningKeyPayload {
  @UuidField({ description: 'The `kid` of the key in the key set.' })
  id!: string;

  @DateField({ description: 'Earliest time at which it can start to sign.' })
  usableAt!: Date;
}

export const SIGNING_KEY_PUBLISHED = defineEvent(
  'signingKey.published',
  'The next token signing key was added to the key set. Verifiers that cache the set must fetch it again within a day.',
  { payload: SigningKeyPayload, security: SecurityEvent.SecretChanged },
);
export const SIGNING_KEY_REVOKED = defineEvent(
  'signingKey.revoked',
  'A token signing key was removed from the key set with immediate effect. Nothing signed with it is valid any more.',
  { payload: SigningKeyPayload, security: SecurityEvent.SecretChanged },
);
export const SIGNING_KEY_PROMOTED = defineEvent('signingKey.promoted', 'A published key now signs the tokens.', {
  payload: SigningKeyPayload,
  security: SecurityEvent.SecretChanged,
});
