import { IntegerField, RefField, StringField } from '../../../common/fields/index.js';

const STATE = /^[a-zA-Z0-9 _.,:!?&%@/'-]*$/;
const OWN_STATE = 'A new random value for every sign-in. The login is stored under it, for this browser only.';

export class TelegramAuthQuery {
  @StringField({ max: 255, pattern: STATE, description: OWN_STATE })
  state!: string;
}

/** The login widget's result, with field names in camel case. */
export class TelegramUser {
  @IntegerField()
  id!: number;

  @StringField({ optional: true })
  firstName?: string;

  @StringField({ optional: true })
  lastName?: string;

  @StringField({ description: 'HMAC-SHA-256 over the other fields, in hex, exactly as the widget returned it.' })
  hash!: string;

  @StringField({ optional: true })
  photoURL?: string;

  @StringField({ optional: true })
  username?: string;

  @StringField({ description: 'When the account confirmed, in Unix seconds.' })
  authDate!: string;
}

export class TelegramPostRequest {
  @StringField({ max: 255, pattern: STATE, description: OWN_STATE })
  state!: string;

  @RefField(() => TelegramUser)
  telegramUser!: TelegramUser;
}
