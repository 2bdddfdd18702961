import { PickOf, StringField } from '../../common/fields/index.js';

export class TestAccountResponse {
  @StringField({ description: 'Accepted in place of a sent code.' })
  code!: string;

  @StringField({ optional: true, description: 'An address that cannot receive mail.' })
  email?: string;

  @StringField({ optional: true, description: 'A number that is not in use, in E.164.' })
  phone?: string;
}

/** A test account as events show it: without its code. */
export class TestAccountPayload extends PickOf(TestAccountResponse, ['email', 'phone']) {}
