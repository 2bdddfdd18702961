import { StringListField, UuidField } from '../../common/fields/index.js';
import { defineEvent } from '../../database/index.js';

/** What somebody lost. */
class ChangedScopes {
  @UuidField()
  userId!: string;

  @StringListField({ description: 'What the rules give from now on.' })
  scopes!: string[];

  @StringListField({ description: 'Scopes that were granted before and no longer apply.' })
  dropped!: string[];
}

export const USER_SCOPES_CHANGED = defineEvent(
  'user.scopes.changed',
  'A user no longer meets the rules that had given scopes or let them in. Their tokens get nothing more from this service but a refresh; a server that verifies tokens by itself is to stop honouring the scopes now.',
  { payload: ChangedScopes },
);
