import {
  BooleanField,
  DateField,
  EmailField,
  EnumField,
  IntegerField,
  JsonField,
  ListField,
  RefField,
  StringField,
  StringListField,
  UuidField,
} from '../../common/fields/index.js';
import type { EnumValue } from '../../common/fields/index.js';
import { WALLET_ADDRESS_TYPES } from '../vocabulary/chains.js';
import { PROVIDER_KINDS, type ProviderKind } from '../vocabulary/providers.js';
import { CREDENTIAL_FORMATS, type CredentialFormat } from '../vocabulary/users.js';
import { WALLET_PROVIDERS, type WalletProvider } from '../vocabulary/wallets.js';
import { WalletProperties } from './wallet-properties.dto.js';

export class NameServiceData {
  @StringField({ optional: true, description: 'Not known to the service.' })
  avatar?: string;

  @StringField({ optional: true })
  name?: string;
}

export class WalletAdditionalAddress {
  @StringField()
  address!: string;

  @StringField({ optional: true })
  publicKey?: string;

  @EnumField(WALLET_ADDRESS_TYPES)
  type!: EnumValue<typeof WALLET_ADDRESS_TYPES>;
}

/** Identifies a user. `verifiedAt` is absent while nobody has vouched for it. */
export class VerifiedCredential {
  @StringField({ optional: true, max: 255, pattern: /^[A-Za-z0-9]+$/ })
  address?: string;

  @StringField({ optional: true })
  chain?: string;

  @IntegerField({
    optional: true,
    description:
      'The network whose contract verified a smart account: on other networks the address may belong to somebody else.',
  })
  contract_network?: number;

  @UuidField({ optional: true, description: 'Never set: the service makes no smart accounts.' })
  refId?: string;

  @UuidField({ optional: true, description: 'Never set: the service makes no smart accounts.' })
  signerRefId?: string;

  @EmailField({ optional: true })
  email?: string;

  @UuidField()
  id!: string;

  @RefField(() => NameServiceData, { optional: true })
  name_service?: NameServiceData;

  @StringField({ optional: true, description: 'A label for people, such as the email.' })
  public_identifier?: string;

  @StringField({ optional: true })
  wallet_name?: string;

  @EnumField(WALLET_PROVIDERS, { optional: true })
  wallet_provider?: WalletProvider;

  @RefField(() => WalletProperties, { optional: true })
  wallet_properties?: WalletProperties;

  @EnumField(CREDENTIAL_FORMATS)
  format!: CredentialFormat;

  @EnumField(PROVIDER_KINDS, { optional: true })
  oauth_provider?: ProviderKind;

  @StringField({ optional: true })
  oauth_username?: string;

  @StringField({ optional: true })
  oauth_display_name?: string;

  @StringField({ optional: true })
  oauth_account_id?: string;

  @UuidField({
    optional: true,
    description:
      'The installation of the provider that issued the account id, which elsewhere may name another account. Absent for providers with one for everybody.',
  })
  oauth_connection_id?: string;

  @StringField({ optional: true, description: 'National number, possibly with the area code.' })
  phoneNumber?: string;

  @StringField({ optional: true, description: 'International dialling code, without a plus sign.' })
  phoneCountryCode?: string;

  @StringField({ optional: true, description: 'ISO 3166-1 alpha-2.' })
  isoCountryCode?: string;

  @StringListField({ optional: true })
  oauth_account_photos?: string[];

  @StringListField({ optional: true })
  oauth_emails?: string[];

  @JsonField({ optional: true, description: 'Data from the provider; only when reading a single user.' })
  oauth_metadata?: Record<string, unknown>;

  @StringListField({
    optional: true,
    format: 'uuid',
    description: 'Earlier owners of a transferred credential, the newest twenty.',
  })
  previous_users?: string[];

  @StringField({ optional: true })
  embedded_wallet_id?: string;

  @ListField(() => WalletAdditionalAddress, { optional: true })
  wallet_additional_addresses?: WalletAdditionalAddress[];

  @DateField({ optional: true, description: 'When the wallet was last connected or made the primary one.' })
  lastSelectedAt?: Date;

  @BooleanField({ description: 'Whether it may be used to sign in.' })
  signInEnabled!: boolean;

  @DateField({ optional: true })
  verifiedAt?: Date;
}
