import { StringField } from '../../../common/fields/index.js';
import { CAPTCHA } from '../../flows/sign-in.dto.js';

export class ExternalAuthSigninRequest {
  @StringField({
    optional: true,
    description: 'The token as its issuer wrote it. Without it, the cookie that the settings name is read.',
  })
  jwt?: string;

  @StringField({ optional: true, description: 'A public key of the client, repeated in its tokens.' })
  sessionPublicKey?: string;

  @StringField({ optional: true, description: CAPTCHA })
  captchaToken?: string;
}
