import { BooleanField, StringField } from '../../../common/fields/index.js';
import { CAPTCHA, SESSION_PUBLIC_KEY } from '../sign-in.dto.js';

const OF_MESSAGING = 'For telegramSignIn and telegramVerify; oauthResult ignores it.';

/** Refers to a sign-in that a provider has answered, or contains the answer itself. */
export class OauthResultRequest {
  @StringField({ optional: true, description: 'The state that the sign-in began with.' })
  state?: string;

  @StringField({
    optional: true,
    description: `Instead of a state, the data signed by the messaging provider: the query of its login widget, or \`initData\` of a mini app. ${OF_MESSAGING}`,
  })
  telegramAuthToken?: string;

  @BooleanField({
    optional: true,
    description: `If false, an account without a user here is refused; otherwise its first sign-in creates the user. ${OF_MESSAGING}`,
  })
  forceCreateUser?: boolean;

  @StringField({ optional: true, min: 1, description: 'Accepted for compatibility; not used.' })
  code?: string;

  @StringField({
    optional: true,
    min: 1,
    description: `${SESSION_PUBLIC_KEY} ${OF_MESSAGING}`,
  })
  sessionPublicKey?: string;

  @StringField({ optional: true, description: CAPTCHA })
  captchaToken?: string;
}
