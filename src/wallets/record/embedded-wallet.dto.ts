import {
  EmailField,
  EnumField,
  EnumListField,
  NumberField,
  RefField,
  StringField,
  defineEnum,
  type EnumValue,
} from '../../common/fields/index.js';
import { PROVIDER_KINDS, type ProviderKind } from '../../identity/index.js';
import { SmsCountryCode } from '../../providers/index.js';
import { EMBEDDED_CHAINS, type EmbeddedChain } from '../../custody/index.js';

export const EMBEDDED_WALLET_CHAINS = defineEnum('EmbeddedWalletChainEnum', EMBEDDED_CHAINS);

const IDENTIFIER_TYPES = defineEnum('UserIdentifierTypeEnum', [
  'email',
  'id',
  'externalUserId',
  'phoneNumber',
  'socialUsername',
  'socialAccountId',
]);

/** A user named by an identifier, who may not exist yet. */
export class NamedUserRequest {
  @StringField({ description: 'The identifier of the user, of the kind given in `type`; 1 to 255 characters.' })
  identifier!: string;

  @EnumField(IDENTIFIER_TYPES, {
    description:
      'How the user signs in. `externalUserId` is the subject of the trusted issuer. `socialUsername` cannot be used to sign in, since usernames change hands: name the account by `socialAccountId`.',
  })
  type!: EnumValue<typeof IDENTIFIER_TYPES>;

  @RefField(() => SmsCountryCode, { optional: true, description: 'Required with type `phoneNumber`.' })
  smsCountryCode?: SmsCountryCode;

  @EnumField(PROVIDER_KINDS, {
    optional: true,
    description: 'Required with the two social types: a provider that people sign in to.',
  })
  socialProvider?: ProviderKind;
}

export class CreateUserEmbeddedWalletsRequest extends NamedUserRequest {
  @EnumListField(EMBEDDED_WALLET_CHAINS, {
    optional: true,
    description:
      'Defaults to the chains that the settings of the environment enable for embedded wallets; required if they enable none.',
  })
  chains?: EmbeddedChain[];

  @EnumField(EMBEDDED_WALLET_CHAINS, { optional: true, description: 'An additional chain, or the only one.' })
  chain?: EmbeddedChain;
}

export class CreateUserEmbeddedWalletsFromFrameappRequest {
  @EmailField({ max: Infinity, description: 'At most 255 characters.' })
  email!: string;

  @NumberField({ description: "The user's id on the frame network: a positive integer." })
  fid!: number;

  @EnumListField(EMBEDDED_WALLET_CHAINS)
  chains!: EmbeddedChain[];
}
