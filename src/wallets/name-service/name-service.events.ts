import { StringField, UuidField } from '../../common/fields/index.js';
import { defineEvent } from '../../database/index.js';
import { NameServiceSettings, OwnName } from './name-service.dto.js';

class NameOfUser extends OwnName {
  @UuidField()
  userId!: string;
}

class ReleasedName {
  @StringField()
  name!: string;

  @UuidField()
  userId!: string;
}

const OF_SERVICE = { payload: NameServiceSettings };

export const NAME_SERVICE_CREATED = defineEvent(
  'nameService.created',
  'The owner of a domain authorised an environment to issue names below it; not enabled yet.',
  OF_SERVICE,
);
export const NAME_SERVICE_ENABLED = defineEvent(
  'nameService.enabled',
  'The name service was turned on: names can be issued.',
  OF_SERVICE,
);
export const NAME_SERVICE_DISABLED = defineEvent(
  'nameService.disabled',
  'The name service was turned off: names no longer resolve.',
  OF_SERVICE,
);
export const NAME_SERVICE_DELETED = defineEvent(
  'nameService.deleted',
  'A domain and the names below it were removed.',
  OF_SERVICE,
);
export const NAME_CLAIMED = defineEvent('user.name.claimed', 'A user gave one of their wallets a name.', {
  payload: NameOfUser,
});
export const NAME_RELEASED = defineEvent('user.name.released', 'A user released a name.', { payload: ReleasedName });
