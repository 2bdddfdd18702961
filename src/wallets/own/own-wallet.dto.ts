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
    description: 'Absent: the chains that the settings of the environment enable for embedded wallets.',
  })
  chains?: EmbeddedChain[];

  @EnumField(EMBEDDED_WALLET_CHAINS, { optional: true, description: 'One more chain, or the only one.' })
  chain?: EmbeddedChain;

  @EnumField(EMBEDDED_WALLET_PROVIDERS, { description: '`platformWaas` requests version V3.' })
  embeddedWalletProvider!: EnumValue<typeof EMBEDDED_WALLET_PROVIDERS>;

  @RefField(() => CreateEmbeddedWalletSpecificOpts, {
    optional: true,
    description: 'A passkey for the wallet: refused where its version knows none.',
  })
  embeddedWalletSpecificOpts?: CreateEmbeddedWalletSpecificOpts;

  @BooleanField({ optional: true, description: 'True is refused where the version of the wallet knows no passkeys.' })
  isAuthenticatorAttached?: boolean;

  @StringField({ optional: true, description: 'Refused like the passkey it would name.' })
  passkeyAlias?: string;

  @StringField({ optional: true, description: 'Refused: a session has its key since sign-in.' })
  sessionPublicKey?: string;
}

export class CreateEmbeddedWalletsRequest {
  @ListField(() => CreateEmbeddedWalletParams)
  embeddedWallets!: CreateEmbeddedWalletParams[];
}

export class EmbeddedWalletPasscodeClaimRequest {
  @UuidField({ description: 'Id of an embedded wallet created in advance for the user.' })
  walletId!: string;
}

export class UserWalletSelectionRequest {
  @StringField({ description: 'Id of a wallet of the user.' })
  walletId!: string;
}
