import { StringField } from '../../../common/fields/index.js';

/** The fragment of a link, after the `#`. */
export class SignInLinkRequest {
  @StringField({ min: 1, max: 100 })
  secret!: string;
}
