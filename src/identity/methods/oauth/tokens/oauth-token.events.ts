import { StringField, UuidField } from '../../../../common/fields/index.js';
import { SecurityEvent } from '../../../../common/security/index.js';
import { defineEvent } from '../../../../database/index.js';

/** Which token was read, and whose; never the token. */
export class OauthTokenReadPayload {
  @UuidField({ description: 'The credential of the account.' })
  oauthAccountId!: string;

  @UuidField()
  userId!: string;

  @StringField()
  provider!: string;
}

export const OAUTH_TOKEN_READ = defineEvent(
  'user.oauthToken.read',
  "A provider token of a user's OAuth account was read.",
  {
    payload: OauthTokenReadPayload,
    security: SecurityEvent.SecretRevealed,
  },
);
