import { StringField, UuidField } from '../../common/fields/index.js';
import { SecurityEvent } from '../../common/security/index.js';
import { defineEvent, type EventDefinition, type EventDraft } from '../../database/index.js';
import type { Credential } from '../credentials/credential.entity.js';

/** A social account that was linked to or unlinked from a user. */
export class SocialAccountPayload {
  @UuidField()
  userId!: string;

  @StringField({ example: 'github' })
  provider!: string;

  @StringField({ description: 'The id of the account at the provider.' })
  accountId!: string;
}

export const SOCIAL_LINKED = defineEvent(
  'user.social.linked',
  'An existing user linked an account at a provider. A first sign-in with a provider account sends only `user.created`.',
  { payload: SocialAccountPayload, security: SecurityEvent.AccountLinked },
);
export const SOCIAL_UNLINKED = defineEvent('user.social.unlinked', 'A user unlinked an account at a provider.', {
  payload: SocialAccountPayload,
});

/** Empty for credentials of other kinds. */
export function socialEvents(
  event: EventDefinition,
  userId: string,
  { format, oauthProvider, oauthAccountId }: Partial<Pick<Credential, 'format' | 'oauthProvider' | 'oauthAccountId'>>,
): EventDraft[] {
  if (format !== 'oauth' || !oauthProvider || !oauthAccountId) return [];
  const data = { userId, provider: oauthProvider, accountId: oauthAccountId };
  return [{ event, resourceId: userId, data, userId }];
}
