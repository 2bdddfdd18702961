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
  'The owner of a domain let an environment give out names below it; not enabled yet.',
  OF_SERVICE,
);
export const NAME_SERVICE_ENABLED = defineEvent('nameService.enabled', 'Names are given out from now on.', OF_SERVICE);
export const NAME_SERVICE_DISABLED = defineEvent('nameService.disabled', 'Names resolve no more.', OF_SERVICE);
export const NAME_SERVICE_DELETED = defineEvent(
  'nameService.deleted',
  'A domain was taken out, and the names below it.',
  OF_SERVICE,
);
export const NAME_CLAIMED = defineEvent('user.name.claimed', 'A user gave one of their wallets a name.', {
  payload: NameOfUser,
});
export const NAME_RELEASED = defineEvent('user.name.released', 'A user let go of a name.', { payload: ReleasedName });
