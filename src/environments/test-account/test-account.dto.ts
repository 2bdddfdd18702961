import { PickOf, StringField } from '../../common/fields/index.js';

export class TestAccountResponse {
  @StringField({ description: 'Accepted in place of a code that was sent.' })
  code!: string;

  @StringField({ optional: true, description: 'An address that no mail can reach.' })
  email?: string;

  @StringField({ optional: true, description: 'A fictitious number, in E.164.' })
  phone?: string;
}

/** A test account as events show it: without its code. */
export class TestAccountPayload extends PickOf(TestAccountResponse, ['email', 'phone']) {}
