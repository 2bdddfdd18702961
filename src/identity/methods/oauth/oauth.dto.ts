import { ELEVATED_SCOPES, type ElevatedScope } from '../../../auth/index.js';
import {
  defineEnum,
  EnumField,
  EnumListField,
  StringField,
  UuidField,
  type EnumValue,
} from '../../../common/fields/index.js';
import { CAPTCHA, SESSION_PUBLIC_KEY } from '../../flows/sign-in.dto.js';

const STATE = 'The state that the sign-in began with.';
const SSO = "Id of the organization's SSO setup, as returned by checkSsoProvider.";
const SSO_AGAIN = 'If given, must be the one that the sign-in began with.';

export class OauthInitAuthRequest {
  @StringField({ description: '32 random bytes in base64url, new for every sign-in.' })
  state!: string;

  @StringField({
    optional: true,
    description: 'Where the browser finally goes, with `code` and `state`: at a registered origin, or a deeplink.',
  })
  redirectUrl?: string;

  @StringField({
    optional: true,
    description:
      'BASE64URL(SHA256(codeVerifier)), from a client without cookies: the sign-in is then bound to the verifier, and its code is sent only to `redirectUrl`. If absent, the sign-in is bound to the browser by a cookie.',
  })
  codeChallenge?: string;

  @UuidField({ optional: true, description: SSO })
  ssoProviderId?: string;
}

export class OauthProviderLoginUrl {
  @StringField({ description: "The provider's sign-in page for this attempt." })
  url!: string;
}

/** The attempt whose page is requested. */
export class OauthLoginQuery {
  @StringField({ optional: true, max: 255, description: `${STATE} Without it, the newest of this browser.` })
  state?: string;
}

const PLAIN = /^[a-zA-Z0-9 _.,:!?&%@/'-]*$/;
const CODE = /^[a-zA-Z0-9_.\-/\\%*!+=]{5,1500}$/;
const ERROR = /^[a-zA-Z_-]{5,100}$/;

export class OauthAuthorizeQuery {
  @StringField({
    optional: true,
    max: 255,
    pattern: PLAIN,
    description: 'Refused: the scopes are configured on the provider.',
  })
  scope?: string;

  @StringField({ optional: true, max: 255, pattern: PLAIN, description: STATE })
  state?: string;

  @StringField({ optional: true, description: 'Starts a sign-in in this browser that returns to this address.' })
  redirect_uri?: string;
}

/** The provider's callback parameters; additional ones are ignored. */
export class OauthCallbackQuery {
  @StringField({ optional: true, pattern: CODE })
  code?: string;

  @StringField({ optional: true })
  scope?: string;

  @StringField({ optional: true, max: 255, pattern: PLAIN })
  state?: string;

  @StringField({ optional: true, max: 255, pattern: PLAIN })
  authuser?: string;

  @StringField({ optional: true, max: 255, pattern: PLAIN })
  prompt?: string;

  @StringField({ optional: true, pattern: ERROR })
  error?: string;

  @StringField({ optional: true, max: 1_024, description: 'The issuer identifier of the response (RFC 9207).' })
  iss?: string;
}

/** The same as a posted form. */
export class OauthCallbackForm {
  @StringField({ optional: true, pattern: CODE })
  code?: string;

  @StringField({ optional: true, max: 255, pattern: PLAIN })
  state?: string;

  @StringField({
    optional: true,
    pattern: /^([a-zA-Z0-9_-]+)\.([a-zA-Z0-9_-]+)\.([a-zA-Z0-9_-]+)$/,
    description: 'Ignored: the token that the code is exchanged for identifies the user.',
  })
  id_token?: string;

  @StringField({ optional: true, pattern: ERROR })
  error?: string;
}

export const OAUTH_RESULT_STATUSES = defineEnum('OauthResultStatus', ['pending', 'completed']);

export class OauthResultResponse {
  @StringField({ optional: true, pattern: CODE, description: 'Only for the browser that started the attempt.' })
  code?: string;

  @StringField({ optional: true, description: 'The error code of the provider, or `invalid_response`.' })
  error?: string;

  @EnumField(OAUTH_RESULT_STATUSES)
  status!: EnumValue<typeof OAUTH_RESULT_STATUSES>;
}

export class OauthRequest {
  @StringField({ optional: true, description: 'The code that came with the state.' })
  code?: string;

  @StringField({ optional: true, description: 'Required if the sign-in began with a `codeChallenge`.' })
  codeVerifier?: string;

  @StringField({ description: STATE })
  state!: string;

  @StringField({ optional: true, description: CAPTCHA })
  captchaToken?: string;

  @StringField({ optional: true, min: 1, description: SESSION_PUBLIC_KEY })
  sessionPublicKey?: string;

  @UuidField({ optional: true, description: SSO_AGAIN })
  ssoProviderId?: string;

  @EnumListField(ELEVATED_SCOPES, {
    optional: true,
    description: 'Additional scopes for the proof: the answer then contains an `elevatedAccessToken`.',
  })
  requestedScopes?: ElevatedScope[];
}
