import { BooleanField, defineEnum, EnumField, RefField, StringField, UuidField } from '../../common/fields/index.js';
import type { EnumValue } from '../../common/fields/index.js';

const AUTH_TYPES = defineEnum('EmbeddedWalletAuthType', ['mpc']);

export class EmbeddedWalletAuthTokenQuery {
  @EnumField(AUTH_TYPES, {
    optional: true,
    description:
      'With `mpc` it is accepted only by the operations that list `mpc`: those for shared keys and for exports.',
  })
  type?: EnumValue<typeof AUTH_TYPES>;
}

export class EmbeddedWalletAuthToken {
  @StringField({ description: 'A JWT, sent as the bearer token to the operations that list `x-service-tokens`.' })
  token!: string;
}

export class WaasAuthenticateResponseEncodedJwts {
  @StringField({ optional: true, description: 'With the scopes that the API token had at the time of the exchange.' })
  jwt?: string;

  @StringField({
    optional: true,
    description: "The same without scopes. This makes no difference: the API token's own scopes apply.",
  })
  minifiedJwt?: string;
}

export class WaasAuthenticateResponse {
  @StringField()
  message!: string;

  @RefField(() => WaasAuthenticateResponseEncodedJwts)
  encodedJwts!: WaasAuthenticateResponseEncodedJwts;
}

export class WaasVerifyApiKeyResponse {
  @UuidField()
  environmentId!: string;

  @BooleanField({ description: 'False for a member, who calls without an API token.' })
  verified!: boolean;
}
