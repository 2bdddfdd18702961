/** The settings that code reads; `settings.schema.json` describes all of them. */

export type TimeUnit = 'days' | 'hours' | 'minutes';

export interface Duration {
  amount: number;
  unit: TimeUnit;
}

/** Where a client keeps its session token. */
export type AuthStorage = 'localstorage' | 'cookie';

export interface ChainNetworkSettings {
  networkId: number;
  chainName: string;
  enabled: boolean;
  rpcUrl?: string;
  iconUrl?: string;
  type?: 'custom' | 'default';
}

export interface ChainSettings {
  name: string;
  enabled: boolean;
  networks?: ChainNetworkSettings[];
}

/** A sign-up field; `kyc` has the standard ones, `customFields` those defined by the environment. */
export interface SignupFieldSettings {
  name: string;
  required: boolean;
  enabled: boolean;
  unique: boolean;
  verify: boolean;
  type?: 'standard' | 'custom';
  label?: string;
  position?: number;
  validationType?: 'text' | 'checkbox' | 'select';
  [setting: string]: unknown;
}

export interface GeneralSettings {
  displayName?: string;
  supportEmail?: string | null;
  appLogo?: string | null;
  supportUrls?: Record<string, string>;
  emailCompanyName?: string;
  [setting: string]: unknown;
}

export interface PrivacySettings {
  /** Whether the caller's IP address is stored with sessions and visits. */
  collectIp?: boolean;
}

export interface EmbeddedWalletChain {
  name: string;
  enabled: boolean;
  primary: boolean;
}

export interface EmbeddedWalletsSettings {
  /** Whether a user who signs in without a wallet gets one. */
  automaticEmbeddedWalletCreation?: boolean;
  automaticEmbeddedWalletCreationForExternal?: boolean;
  emailRecoveryEnabled?: boolean;
  chainConfigurations?: EmbeddedWalletChain[];
  defaultWalletVersion?: 'V1' | 'V2' | 'V3';
  sessionKeyDuration?: Duration;
  [setting: string]: unknown;
}

export interface SdkSettings {
  embeddedWallets?: EmbeddedWalletsSettings;
  passkeyEmbeddedWalletRecoveryEnabled?: boolean;
  waas?: { delegatedAccess?: { enabled?: boolean; [key: string]: unknown }; [key: string]: unknown };
  multiWallet?: boolean;
  multiWalletUnlinkDisabled?: boolean;
  confirmWalletTransfers?: boolean;
  preventOrphanedAccounts?: boolean;
  blockEmailSubaddresses?: boolean;
  disabledWalletConnectors?: string[];
  [setting: string]: unknown;
}

export interface CaptchaSettings {
  enabled?: boolean;
  siteKey?: string;
  /** Sent by the dashboard and sealed in a row of its own; never stored here, never returned. */
  secretKey?: string;
}

export type MfaMethod = 'totp' | 'passkey' | 'email';

export type MfaAction =
  'wallet.waas.sign' | 'wallet.waas.export' | 'wallet.waas.reshare' | 'wallet.waas.refresh' | 'user.update';

export interface MfaSettings {
  enabled?: boolean;
  required?: boolean;
  availableMethods?: MfaMethod[];
  methods?: { type: MfaMethod; enabled: boolean; allowBackupCodes?: boolean | null }[];
  actions?: { action: MfaAction; required: boolean }[];
}

export interface ExternalAuthSettings {
  enabled?: boolean;
  iss?: string | null;
  aud?: string | null;
  jwksUrl?: string;
  cookieName?: string | null;
}

export interface SecuritySettings {
  jwtDuration?: Duration;
  captcha?: CaptchaSettings;
  mfa?: MfaSettings;
  auth?: { storage: AuthStorage[] };
  externalAuth?: ExternalAuthSettings;
  /** New devices are confirmed by email. */
  confirmNewDevices?: boolean;
}

export interface ProjectSettings {
  environmentName?: 'sandbox' | 'live';
  chains: ChainSettings[];
  kyc: SignupFieldSettings[];
  customFields?: SignupFieldSettings[];
  design: Record<string, unknown>;
  general: GeneralSettings;
  privacy: PrivacySettings;
  providers?: Record<string, unknown>[];
  exchanges?: Record<string, unknown>[];
  networks?: Record<string, unknown>[];
  sdk: SdkSettings;
  security: SecuritySettings;
}
