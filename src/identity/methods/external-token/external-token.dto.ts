import { StringField } from '../../../common/fields/index.js';
import { CAPTCHA } from '../../flows/sign-in.dto.js';

export class ExternalAuthSigninRequest {
  @StringField({
    optional: true,
    description: 'The token exactly as issued. If absent, the cookie named in the settings is read.',
  })
  jwt?: string;

  @StringField({ optional: true, description: 'A public key of the client, repeated in its tokens.' })
  sessionPublicKey?: string;

  @StringField({ optional: true, description: CAPTCHA })
  captchaToken?: string;
}
