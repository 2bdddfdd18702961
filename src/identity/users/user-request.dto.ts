import {
  DateField,
  EmailField,
  EnumField,
  JsonField,
  ListField,
  StringField,
  StringListField,
  UuidField,
} from '../../common/fields/index.js';
import { EmailListField } from '../../common/fields/email-list-field.js';
import { WalletAdditionalAddress } from '../credentials/verified-credential.dto.js';
import { CHAINS, type Chain } from '../vocabulary/chains.js';
import { PROVIDER_KINDS, type ProviderKind } from '../vocabulary/providers.js';
import { WALLET_PROVIDERS, type WalletProvider } from '../vocabulary/wallets.js';
import { PrivateMetadataField } from './private-metadata.field.js';
import { ProfileFields } from './profile-fields.dto.js';

export class CreateWalletRequest {
  @StringField({ max: 255, pattern: /^[A-Za-z0-9]+$/ })
  publicWalletAddress!: string;

  @EnumField(CHAINS)
  chain!: Chain;

  @StringField({ min: 1, max: 255 })
  walletName!: string;

  @EnumField(WALLET_PROVIDERS)
  walletProvider!: WalletProvider;

  @ListField(() => WalletAdditionalAddress, { optional: true })
  additionalWalletAddresses?: WalletAdditionalAddress[];
}

export class CreateUserOauthRequest {
  @EnumField(PROVIDER_KINDS)
  provider!: ProviderKind;

  @StringField({ min: 1, max: 255 })
  accountId!: string;

  @EmailListField({ optional: true })
  emails?: string[];

  @StringField({ optional: true, max: 255 })
  displayName?: string;

  @StringField({ optional: true, max: 255 })
  username?: string;

  @StringListField({ optional: true })
  photos?: string[];

  @JsonField({ optional: true })
  profile?: Record<string, unknown>;
}

/** What a caller asserts about a new user. It is not checked against other users and proves nothing. */
export class BulkUserCreateItem extends ProfileFields {
  @DateField({
    optional: true,
    description: 'Marks the email as verified, so that it can be used to sign in. Without `email` it says nothing.',
  })
  emailVerifiedAt?: Date;

  @EmailField({ optional: true, allowEmpty: true })
  email?: string;

  @ListField(() => CreateWalletRequest, { optional: true })
  wallets?: CreateWalletRequest[];

  @ListField(() => CreateUserOauthRequest, { optional: true })
  oauthAccounts?: CreateUserOauthRequest[];

  @PrivateMetadataField({ optional: true, nullable: true })
  privateMetadata?: Record<string, unknown> | null;
}

export class UserCreateRequest extends BulkUserCreateItem {
  @UuidField({ optional: true })
  id?: string;
}

export class UserUpdateRequest extends ProfileFields {
  @UuidField({ optional: true, description: 'The id in the path, or absent.' })
  id?: string;

  @PrivateMetadataField({ optional: true, nullable: true })
  privateMetadata?: Record<string, unknown> | null;
}

/** What users may change about themselves. */
export class UserFields extends ProfileFields {
  @EmailField({ optional: true, allowEmpty: true })
  email?: string;

  @StringField({ optional: true })
  captchaToken?: string;
}
