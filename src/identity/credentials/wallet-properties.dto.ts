import { BooleanField, EnumField, ListField, RefField, StringField, UuidField } from '../../common/fields/index.js';
import type { EnumValue } from '../../common/fields/index.js';
import {
  ECDSA_VALIDATORS,
  EMBEDDED_WALLET_VERSIONS,
  ENTRY_POINT_VERSIONS,
  HARDWARE_WALLETS,
  KERNEL_VERSIONS,
  PASSWORD_SOURCES,
  THRESHOLD_SCHEMES,
} from '../vocabulary/wallets.js';

export class WalletKeyShareInfo {
  @UuidField()
  id!: string;

  @StringField()
  backupLocation!: string;

  @BooleanField()
  passwordEncrypted!: boolean;

  @UuidField({ optional: true })
  externalKeyShareId?: string;
}

export class WaasWalletSettings {
  @BooleanField({ optional: true })
  hasDeniedDelegatedAccess?: boolean;

  @BooleanField({ optional: true })
  shouldRefreshOnNextSignOn?: boolean;

  @EnumField(THRESHOLD_SCHEMES, { optional: true, description: 'Never set: nothing here asks for another scheme.' })
  reshareOnNextSignOn?: EnumValue<typeof THRESHOLD_SCHEMES>;

  @BooleanField({ optional: true, description: 'Never set: access that is taken back ends at once.' })
  revokeOnNextSignOn?: boolean;
}

/** How the keys of a wallet are kept. Never a secret. */
export class WalletProperties {
  @UuidField({ optional: true })
  keyvaultSubOrganizationId?: string;

  @UuidField({ optional: true })
  keyvaultPrivateKeyId?: string;

  @UuidField({ optional: true })
  keyvaultHDWalletId?: string;

  @BooleanField({
    optional: true,
    description: 'A passkey or API key is attached to the wallet itself. Always false: passkeys belong to users.',
  })
  isAuthenticatorAttached?: boolean;

  @UuidField({ optional: true })
  keyvaultUserId?: string;

  @BooleanField({
    optional: true,
    description: 'Requests about the wallet are stamped with a key of the session (registerSessionKey).',
  })
  isSessionKeyCompatible?: boolean;

  @EnumField(EMBEDDED_WALLET_VERSIONS, { optional: true })
  version?: EnumValue<typeof EMBEDDED_WALLET_VERSIONS>;

  @EnumField(ECDSA_VALIDATORS, { optional: true, description: 'Never set: the service makes no smart accounts.' })
  ecdsaProviderType?: EnumValue<typeof ECDSA_VALIDATORS>;

  @EnumField(ENTRY_POINT_VERSIONS, { optional: true, description: 'Never set: the service makes no smart accounts.' })
  entryPointVersion?: EnumValue<typeof ENTRY_POINT_VERSIONS>;

  @EnumField(KERNEL_VERSIONS, { optional: true, description: 'Never set: the service makes no smart accounts.' })
  kernelVersion?: EnumValue<typeof KERNEL_VERSIONS>;

  @EnumField(HARDWARE_WALLETS, { optional: true, description: 'Not known to the service.' })
  hardwareWallet?: EnumValue<typeof HARDWARE_WALLETS>;

  @BooleanField({
    optional: true,
    description: 'Whether the owner has claimed the wallet, if it was created ahead of time.',
  })
  claimed?: boolean;

  @EnumField(PASSWORD_SOURCES, { optional: true, description: 'Never set here: getEmbeddedWalletPasscode tells it.' })
  source?: EnumValue<typeof PASSWORD_SOURCES>;

  @ListField(() => WalletKeyShareInfo, { optional: true })
  keyShares?: WalletKeyShareInfo[];

  @EnumField(THRESHOLD_SCHEMES, { optional: true })
  thresholdSignatureScheme?: EnumValue<typeof THRESHOLD_SCHEMES>;

  @StringField({ optional: true })
  derivationPath?: string;

  @RefField(() => WaasWalletSettings, { optional: true })
  settings?: WaasWalletSettings;
}
