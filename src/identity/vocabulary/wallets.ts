import { defineEnum, type EnumValue } from '../../common/fields/index.js';

export const WALLET_PROVIDERS = defineEnum('WalletProviderEnum', [
  'browserExtension',
  'custodialService',
  'walletConnect',
  'qrCode',
  'deepLink',
  'embeddedWallet',
  'smartContractWallet',
]);
export type WalletProvider = EnumValue<typeof WALLET_PROVIDERS>;

export const EMBEDDED_WALLET_VERSIONS = defineEnum('EmbeddedWalletVersionEnum', ['V1', 'V2', 'V3']);

export { ECDSA_VALIDATORS, ENTRY_POINT_VERSIONS } from '../../providers/index.js';

export const KERNEL_VERSIONS = defineEnum('ProviderKernelVersionEnum', ['v2_4', 'v3_0', 'v3_1', 'v3_2', 'v3_3']);

export const HARDWARE_WALLETS = defineEnum('HardwareWalletEnum', ['ledger']);

export const PASSWORD_SOURCES = defineEnum('PasswordSourceTypeEnum', ['platform', 'user']);

export const THRESHOLD_SCHEMES = defineEnum('ThresholdSignatureScheme', [
  'TWO_OF_TWO',
  'TWO_OF_THREE',
  'THREE_OF_FIVE',
]);

/** Whether a visitor's wallet was asked to sign or only to connect. */
export const AUTH_MODES = defineEnum('AuthModeEnum', ['connect-only', 'connect-and-sign']);
export type AuthMode = EnumValue<typeof AUTH_MODES>;
