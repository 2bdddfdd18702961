import {
  BooleanField,
  defineEnum,
  EnumField,
  EnumListField,
  ListField,
  RefField,
  StringField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';
import type { EmbeddedChain } from '../../custody/index.js';
import { EMBEDDED_WALLET_CHAINS } from '../record/embedded-wallet.dto.js';

const EMBEDDED_WALLET_PROVIDERS = defineEnum('EmbeddedWalletProviderEnum', ['keyvault', 'keyvaulthd', 'platformWaas']);

const TRANSPORTS = defineEnum('AuthenticatorTransportProtocol', [
  'AUTHENTICATOR_TRANSPORT_INTERNAL',
  'AUTHENTICATOR_TRANSPORT_USB',
  'AUTHENTICATOR_TRANSPORT_NFC',
  'AUTHENTICATOR_TRANSPORT_BLE',
  'AUTHENTICATOR_TRANSPORT_HYBRID',
]);

export class PasskeyRegistrationCredential {
  @StringField()
  attestationObject!: string;

  @StringField()
  clientDataJson!: string;

  @StringField()
  credentialId!: string;

  @EnumListField(TRANSPORTS)
  transports!: EnumValue<typeof TRANSPORTS>[];

  @StringField({ optional: true })
  publicKey?: string;
}

export class CreateEmbeddedWalletSpecificOpts {
  @RefField(() => PasskeyRegistrationCredential)
  attestation!: PasskeyRegistrationCredential;

  @StringField()
  challenge!: string;
}

export class CreateEmbeddedWalletParams {
  @EnumListField(EMBEDDED_WALLET_CHAINS, {
    optional: true,
    description:
      'Defaults to the chains that the settings of the environment enable for embedded wallets; required if they enable none.',
  })
  chains?: EmbeddedChain[];

  @EnumField(EMBEDDED_WALLET_CHAINS, { optional: true, description: 'An additional chain, or the only one.' })
  chain?: EmbeddedChain;

  @EnumField(EMBEDDED_WALLET_PROVIDERS, { description: '`platformWaas` selects version V3.' })
  embeddedWalletProvider!: EnumValue<typeof EMBEDDED_WALLET_PROVIDERS>;

  @RefField(() => CreateEmbeddedWalletSpecificOpts, {
    optional: true,
    description: 'A passkey for the wallet: refused if its version does not support one.',
  })
  embeddedWalletSpecificOpts?: CreateEmbeddedWalletSpecificOpts;

  @BooleanField({
    optional: true,
    description: 'True is refused if the version of the wallet does not support passkeys.',
  })
  isAuthenticatorAttached?: boolean;

  @StringField({ optional: true, description: 'Refused, like the passkey that it would name.' })
  passkeyAlias?: string;

  @StringField({ optional: true, description: 'Refused: the session key is set at sign-in.' })
  sessionPublicKey?: string;
}

export class CreateEmbeddedWalletsRequest {
  @ListField(() => CreateEmbeddedWalletParams)
  embeddedWallets!: CreateEmbeddedWalletParams[];
}

export class EmbeddedWalletPasscodeClaimRequest {
  @UuidField({ description: 'Id of an embedded wallet of the user that was created ahead of time.' })
  walletId!: string;
}

export class UserWalletSelectionRequest {
  @StringField({ description: 'Id of a wallet of the user, or of its credential.' })
  walletId!: string;
}
