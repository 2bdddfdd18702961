import { BooleanField, StringField } from '../../../common/fields/index.js';
import { CAPTCHA } from '../sign-in.dto.js';

const OF_MESSAGING = 'For telegramSignIn and telegramVerify; oauthResult does not look at it.';

/** Names a sign-in that a provider has answered, or brings the answer itself. */
export class OauthResultRequest {
  @StringField({ optional: true, description: 'The one that the sign-in began with.' })
  state?: string;

  @StringField({
    optional: true,
    description: `In place of a state, what the messaging provider signed: the query of its login widget, or \`initData\` of a mini app. ${OF_MESSAGING}`,
  })
  telegramAuthToken?: string;

  @BooleanField({
    optional: true,
    description: `With false, an unknown account is refused; otherwise its first sign-in creates the user. ${OF_MESSAGING}`,
  })
  forceCreateUser?: boolean;

  @StringField({ optional: true, min: 1, description: 'Taken for clients that send it, and not looked at.' })
  code?: string;

  @StringField({
    optional: true,
    min: 1,
    description: `A public key of the client, repeated in its tokens. ${OF_MESSAGING}`,
  })
  sessionPublicKey?: string;

  @StringField({ optional: true, description: CAPTCHA })
  captchaToken?: string;
}
