import {
  BooleanField,
  DateField,
  EnumField,
  IntegerField,
  ListField,
  OmitOf,
  PatchOf,
  EmailField,
  RefField,
  StringField,
  UuidField,
  defineEnum,
  type EnumValue,
} from '../../common/fields/index.js';
import { CREATABLE_PROVIDERS, PROVIDER_KINDS, type ProviderKind } from '../types/provider-names.js';

export const ECDSA_VALIDATORS = defineEnum('EcdsaValidatorOptions', ['aa_signer_to_ecdsa', 'aa_multi_chain']);
export const ENTRY_POINT_VERSIONS = defineEnum('ProviderEntryPointVersionEnum', ['v6', 'v7']);
const KERNEL_VERSIONS = defineEnum('ProviderSettingsKernelVersionEnum', ['v2_4', 'v3_0', 'v3_1']);
const BUNDLERS = defineEnum('AaBundlerProvider', ['STACKUP', 'PIMLICO', 'ALCHEMY', 'GELATO']);

export class SmsCountryCode {
  @StringField({ max: 4, pattern: /^[a-zA-Z]{2,4}\d?$/, description: 'ISO 3166-1 alpha-2.' })
  isoCountryCode!: string;

  @StringField({ min: 1, max: 255, description: 'International dialling code.' })
  phoneCountryCode!: string;
}

export class ProviderCreateRequestMultichainAccountAbstractionProviders {
  @StringField()
  clientId!: string;

  @StringField()
  chain!: string;

  @BooleanField({ optional: true })
  default?: boolean;
}

const COUNTRIES =
  'Countries whose numbers can receive messages. Which country a number is of is read from the number and compared with `isoCountryCode`; `phoneCountryCode` is told to clients.';

/** Configuration fields of all provider types; the type determines which apply. An empty string removes a value. */
export class ProviderConfiguration {
  @StringField({ description: 'Id of the OAuth client; for one provider, id of its service.' })
  clientId!: string;

  @StringField({ description: 'An additional id that some providers need.' })
  providerProjectId!: string;

  @IntegerField({ description: 'Replaced by `defaultChain`.' })
  defaultChainId!: number;

  @StringField({ min: 5, max: 41, pattern: /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/, description: 'CAIP-2 chain id.' })
  defaultChain!: string;

  @StringField()
  keyExportUrl!: string;

  @StringField({ description: 'Scopes in place of the defaults, separated by spaces.' })
  scopes!: string;

  @StringField({ description: 'Id of the key that signs the client secret.' })
  oauthKeyId!: string;

  @StringField({ description: 'Id of the team that the key belongs to.' })
  oauthTeamId!: string;

  @StringField({ description: 'Name of the store, as in `<name>.myshopify.com`.' })
  commerceStore!: string;

  @StringField({ description: 'Host of the provider, or sender domain for email.' })
  domain!: string;

  @StringField({ description: 'Account at the SMS provider.' })
  accountSid!: string;

  @StringField({ description: 'Sender number of messages.' })
  smsSenderNumber!: string;

  @ListField(() => SmsCountryCode, { description: COUNTRIES, most: 300 })
  enabledCountries!: SmsCountryCode[];

  @StringField({ description: 'Name of the IP pool that email is sent from.' })
  emailIpPoolName!: string;

  @EnumField(ENTRY_POINT_VERSIONS)
  entryPointVersion!: EnumValue<typeof ENTRY_POINT_VERSIONS>;

  @EnumField(KERNEL_VERSIONS)
  kernelVersion!: EnumValue<typeof KERNEL_VERSIONS>;

  @StringField()
  factoryAddress!: string;

  @StringField()
  paymasterAddress!: string;

  @StringField()
  passkeyAddress!: string;

  @StringField()
  sessionAddress!: string;

  @ListField(() => ProviderCreateRequestMultichainAccountAbstractionProviders)
  multichainAccountAbstractionProviders!: ProviderCreateRequestMultichainAccountAbstractionProviders[];

  @EnumField(ECDSA_VALIDATORS)
  ecdsaProviderType!: EnumValue<typeof ECDSA_VALIDATORS>;

  @BooleanField()
  enableKernelV3Migration!: boolean;

  @BooleanField()
  enableEIP7702!: boolean;

  @EnumField(BUNDLERS)
  aaBundlerProvider!: EnumValue<typeof BUNDLERS>;

  @StringField()
  aaBundlerRpcUrl!: string;

  @StringField()
  aaPaymasterRpcUrl!: string;

  @StringField()
  aaKernelDelegationAddress!: string;

  @StringField()
  returnUrl!: string;

  @StringField()
  cancelUrl!: string;
}

export type ConfigurationField = keyof ProviderConfiguration;

export class ProviderAgreement {
  @StringField({ max: 255 })
  termsUrl!: string;

  @EmailField()
  email!: string;

  @UuidField()
  userId!: string;

  @DateField()
  createdAt!: Date;
}

/** A provider as the API shows it. */
export class ProviderRecord extends PatchOf(ProviderConfiguration) {
  @UuidField({ optional: true })
  id?: string;

  @EnumField(PROVIDER_KINDS)
  provider!: ProviderKind;

  @DateField({ optional: true, nullable: true, description: 'Null if it is disabled.' })
  enabledAt?: Date | null;

  @StringField({ optional: true, description: 'A mask; it reveals nothing about the secret.' })
  clientSecret?: string;

  @StringField({ optional: true, description: "The provider's authorization page." })
  authorizationUrl?: string;

  @StringField({ optional: true, description: 'Register this with the provider as the redirect address.' })
  redirectUrl?: string;

  @StringField({ optional: true, description: 'Where a sign-in with the provider starts at this service.' })
  baseAuthUrl?: string;

  @RefField(() => ProviderAgreement, { optional: true })
  termsAcceptedByUser?: ProviderAgreement;

  @StringField({ optional: true })
  salt?: string;

  @BooleanField({
    optional: true,
    description: 'True for every way to sign in: new people get a user. Absent for other providers.',
  })
  createNewAccounts?: boolean;
}

/** A provider as the response to its creation shows it. */
export class Provider extends OmitOf(ProviderRecord, ['provider']) {
  @EnumField(CREATABLE_PROVIDERS)
  provider!: EnumValue<typeof CREATABLE_PROVIDERS>;
}

/** A provider as events show it. */
export class ProviderPayload extends OmitOf(ProviderRecord, ['clientSecret']) {}

export class ProviderUpdateRequest extends PatchOf(ProviderConfiguration) {
  @StringField({ optional: true, description: 'Stored encrypted and never shown again.' })
  clientSecret?: string;

  @BooleanField({ optional: true, description: 'Only false: there are no shared credentials.' })
  useDynamicCredentials?: boolean;
}

export class ProviderCreateRequest extends ProviderUpdateRequest {
  @EnumField(CREATABLE_PROVIDERS)
  provider!: EnumValue<typeof CREATABLE_PROVIDERS>;

  @StringField({ optional: true, description: 'Terms of the provider that are accepted by creating it.' })
  termsUrl?: string;
}

export class ProvidersResponse {
  @ListField(() => ProviderRecord, { optional: true })
  providers?: ProviderRecord[];
}

export class ProviderUrl {
  @EnumField(PROVIDER_KINDS)
  provider!: ProviderKind;

  @StringField()
  authorizationUrl!: string;

  @StringField()
  redirectUrl!: string;

  @StringField({ optional: true })
  scopes?: string;

  @StringField({ optional: true, description: 'Where the provider documents its scopes.' })
  scopesRefUrl?: string;
}

export class ProviderUrlsResponse {
  @ListField(() => ProviderUrl, { optional: true })
  providerUrls?: ProviderUrl[];
}
