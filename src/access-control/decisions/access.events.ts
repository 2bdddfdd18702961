import { StringListField, UuidField } from '../../common/fields/index.js';
import { defineEvent } from '../../database/index.js';

/** The scopes that a user has lost and kept. */
class ChangedScopes {
  @UuidField()
  userId!: string;

  @StringListField({ description: 'Scopes that the rules now grant.' })
  scopes!: string[];

  @StringListField({ description: 'Scopes that were granted before and no longer are.' })
  dropped!: string[];
}

export const USER_SCOPES_CHANGED = defineEvent(
  'user.scopes.changed',
  'A user no longer meets the rules that granted scopes or let them in. Their tokens can do nothing more at this service except refresh and end their session; servers that verify tokens themselves should stop honouring the scopes now.',
  { payload: ChangedScopes },
);
