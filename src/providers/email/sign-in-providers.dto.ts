import {
  EmailField,
  EnumField,
  StringField,
  UuidField,
  defineEnum,
  type EnumValue,
} from '../../common/fields/index.js';
import { PROVIDER_KINDS, type ProviderKind } from '../types/provider-names.js';

export const SIGN_IN_KINDS = defineEnum('SsoProviderCheckResponseTypeEnum', ['otp', 'sso']);

export class EmailProviderQuery {
  @EmailField({ max: Infinity })
  email!: string;
}

export class EmailProviderResponse {
  @EnumField(PROVIDER_KINDS)
  emailProvider!: ProviderKind;
}

export class SsoProviderCheckRequest {
  @EmailField({ max: Infinity })
  email!: string;
}

export class SsoProviderCheckResponse {
  @EnumField(SIGN_IN_KINDS, {
    description: 'Whether the owner of the address receives a code or is sent to a provider.',
  })
  type!: EnumValue<typeof SIGN_IN_KINDS>;

  @StringField({ optional: true, description: 'The provider, if SSO applies.' })
  provider?: string;

  @StringField({
    optional: true,
    description: 'Where the browser goes once initAuth has begun the attempt, with its `state` as a parameter.',
  })
  ssoAuthUrl?: string;

  @UuidField({ optional: true, description: 'Id of the setup, to be passed when the sign-in starts.' })
  id?: string;
}
