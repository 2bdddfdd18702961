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
  @EnumField(SIGN_IN_KINDS, { description: 'Whether the owner of the address gets a code or goes to a provider.' })
  type!: EnumValue<typeof SIGN_IN_KINDS>;

  @StringField({ optional: true, description: 'Which provider that is.' })
  provider?: string;

  @StringField({
    optional: true,
    description: 'Where the browser goes once initAuth has begun the attempt, with its `state` as a parameter.',
  })
  ssoAuthUrl?: string;

  @UuidField({ optional: true, description: 'Id of the setup, to be named when the sign-in begins.' })
  id?: string;
}
