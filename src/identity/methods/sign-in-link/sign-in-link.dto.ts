import { StringField } from '../../../common/fields/index.js';

/** What stood behind the `#` of a link. */
export class SignInLinkRequest {
  @StringField({ min: 1, max: 100 })
  secret!: string;
}
