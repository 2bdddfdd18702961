import { StringField } from '../../common/fields/index.js';

export class NonceResponse {
  @StringField({ optional: true, description: '32 hexadecimal digits; good once, for five minutes.' })
  nonce?: string;
}
