import { IntegerField, RefField, StringField } from '../../../common/fields/index.js';

const STATE = /^[a-zA-Z0-9 _.,:!?&%@/'-]*$/;
const OWN_STATE = 'Random, new for every sign-in. The login is stored under it, only for this browser.';

export class TelegramAuthQuery {
  @StringField({ max: 255, pattern: STATE, description: OWN_STATE })
  state!: string;
}

/** What the login widget gives, with the names of its fields in camel case. */
export class TelegramUser {
  @IntegerField()
  id!: number;

  @StringField({ optional: true })
  firstName?: string;

  @StringField({ optional: true })
  lastName?: string;

  @StringField({ description: 'HMAC-SHA-256 over the other fields, in hex, as the widget gave it.' })
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
