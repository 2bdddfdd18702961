import { DEFAULT_JWT_DURATION } from './jwt-duration.js';
import type {
  ChainNetworkSettings,
  ChainSettings,
  MfaAction,
  ProjectSettings,
  SdkSettings,
  SecuritySettings,
  SignupFieldSettings,
} from './settings.types.js';

/** `console` is the environment that dashboard users sign in to. */
export type EnvironmentKind = 'sandbox' | 'live' | 'console';

const CHAINS = [
  'EVM',
  'SOL',
  'BTC',
  'SUI',
  'FLOW',
  'STARK',
  'ALGO',
  'COSMOS',
  'ECLIPSE',
  'SPARK',
  'TRON',
  'APTOS',
  'TON',
] as const;

/** EIP-155 chain ids, and the numbers that clients use for Solana clusters. */
const NETWORKS: Record<'main' | 'test', Record<string, [networkId: number, chainName: string]>> = {
  main: { EVM: [1, 'Ethereum'], SOL: [101, 'Solana'] },
  test: { EVM: [11_155_111, 'Sepolia'], SOL: [103, 'Solana Devnet'] },
};

/** Standard sign-up fields in display order; all are off by default. */
const SIGNUP_FIELDS: [name: string, label: string][] = [
  ['email', 'Email'],
  ['username', 'Username'],
  ['phoneNumber', 'Phone number'],
  ['alias', 'Alias'],
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['jobTitle', 'Job title'],
  ['tShirtSize', 'T-shirt size'],
  ['team', 'Team'],
  ['country', 'Country'],
  ['policiesConsent', 'Terms of service'],
];
const UNIQUE_FIELDS = new Set(['email', 'username', 'phoneNumber']);
const VERIFIED_FIELDS = new Set(['email', 'phoneNumber']);

const MFA_ACTIONS: MfaAction[] = [
  'wallet.waas.sign',
  'wallet.waas.export',
  'wallet.waas.reshare',
  'wallet.waas.refresh',
  'user.update',
];

/**
 * All settings of a new environment, a fresh object each time: sign-in by email code, wallets for EVM and Solana.
 *
 * @param projectName what emails and pages call the environment until another name is chosen
 */
export function defaultSettings(kind: EnvironmentKind, projectName: string | null = null): ProjectSettings {
  const hasWallets = kind !== 'console';
  return {
    chains: hasWallets ? CHAINS.map((name) => chainSettings(name, kind)) : [],
    kyc: SIGNUP_FIELDS.map(signupField),
    design: {
      modal: {
        theme: 'auto',
        border: 'none',
        radius: 16,
        displayOrder: ['email', 'social', 'wallet'],
        emailOnly: !hasWallets,
        showWalletsButton: hasWallets,
        emailSubmitButtonInsideInput: false,
        splitEmailAndSocial: false,
        socialAboveEmail: false,
      },
      button: { radius: 8, paddingHeight: 10, paddingWidth: 16 },
      widget: { theme: 'auto', border: 'none', radius: 16 },
    },
    general: {
      displayName: hasWallets ? (projectName ?? 'New project') : 'Gatehouse console',
      supportEmail: null,
      supportText: null,
      appLogo: null,
      imageUserInAccessList: null,
      imageUserNotInAccessList: null,
      supportUrls: {},
      collectUserDataWelcomeHeader: null,
      collectUserDataWelcomeMessage: null,
      skipOptionalKYCFieldDuringOnboarding: true,
    },
    // The console stores IP addresses, so that administrators can recognise sessions that are not theirs.
    privacy: { collectIp: !hasWallets },
    sdk: sdkSettings(hasWallets),
    security: securitySettings(),
  };
}

function chainSettings(name: string, kind: EnvironmentKind): ChainSettings {
  const known = [...(kind === 'sandbox' ? [NETWORKS.test[name]] : []), NETWORKS.main[name]];
  const networks = known.flatMap((network): ChainNetworkSettings[] =>
    network ? [{ networkId: network[0], chainName: network[1], enabled: true, type: 'default' }] : [],
  );
  return { name, enabled: networks.length > 0, networks };
}

function signupField([name, label]: [string, string], index: number): SignupFieldSettings {
  return {
    name,
    label,
    type: 'standard',
    enabled: false,
    required: false,
    unique: UNIQUE_FIELDS.has(name),
    verify: VERIFIED_FIELDS.has(name),
    position: index + 1,
  };
}

function sdkSettings(hasWallets: boolean): SdkSettings {
  return {
    nameService: { evm: {} },
    featureFlags: { connectOnlyMultiAsset: false, enableExchanges: false },
    emailSignIn: { signInProvider: 'dynamic' },
    socialSignIn: { signInProvider: 'dynamic', providers: [] },
    exchangeOptions: [],
    multiWallet: hasWallets,
    multiWalletUnlinkDisabled: false,
    mobile: { deeplinkUrlsEnabled: false },
    confirmWalletTransfers: true,
    onrampFunding: false,
    automaticEmbeddedWalletCreation: hasWallets,
    embeddedWalletSecurityMethods: ['passkey'],
    embeddedWallets: {
      automaticEmbeddedWalletCreation: hasWallets,
      automaticEmbeddedWalletCreationForExternal: false,
      showEmbeddedWalletActionsUI: hasWallets,
      emailRecoveryEnabled: hasWallets,
      forceAuthenticatorAtSignup: false,
      allowSkippingAuthenticatorAtSignup: true,
      sessionKeyDuration: { amount: 1, unit: 'days' },
      supportedSecurityMethods: {
        passkey: { isDefault: true, isEnabled: true, isPermanentAuthenticator: true, listPosition: 1 },
        email: { isDefault: false, isEnabled: true, isPermanentAuthenticator: false, listPosition: 2 },
        password: { isDefault: false, isEnabled: false, isPermanentAuthenticator: true, listPosition: 3 },
      },
      chainConfigurations: [
        { name: 'EVM', enabled: hasWallets, primary: true },
        { name: 'SOL', enabled: hasWallets, primary: false },
      ],
      domainEnabledByProvider: false,
      defaultWalletVersion: 'V1',
      promptForKeyExport: false,
      transactionSimulation: hasWallets,
      svmGasSponsorshipEnabled: false,
    },
    waas: {
      allowMultipleWaasWalletsPerChain: false,
      passcodeRequired: false,
      onSignUp: { promptBackupOptions: false, promptClientShareExport: false },
      backupOptions: [],
      delegatedAccess: { enabled: false, promptUsersOnSignIn: false, requiresDelegation: false },
      enableForwardMPCClient: false,
    },
    walletConnect: { v2Enabled: hasWallets },
    confirmEmailProviderForVerify: false,
    displayPlatformMessaging: true,
    hideNetworkInWidget: false,
    preventOrphanedAccounts: true,
    views: [{ type: 'login', sections: loginSections(hasWallets) }],
    accountAbstraction: {
      allWallets: false,
      allUsers: false,
      separateSmartWalletAndSigner: false,
      enablePasskeys: false,
    },
    blockEmailSubaddresses: false,
    enableMultiAsset: false,
    showFiat: false,
    disabledWalletConnectors: [],
    funding: { onramps: [], externalWallets: { enabled: false } },
  };
}

function loginSections(hasWallets: boolean): Record<string, unknown>[] {
  const email = { type: 'email' };
  return hasWallets ? [email, { type: 'separator', label: 'or' }, { type: 'social' }, { type: 'wallet' }] : [email];
}

function securitySettings(): SecuritySettings {
  return {
    jwtDuration: { ...DEFAULT_JWT_DURATION },
    captcha: { enabled: false },
    mfa: {
      enabled: false,
      required: false,
      availableMethods: [],
      methods: [
        { type: 'totp', enabled: false, allowBackupCodes: true },
        { type: 'passkey', enabled: false, allowBackupCodes: true },
        { type: 'email', enabled: false, allowBackupCodes: false },
      ],
      actions: MFA_ACTIONS.map((action) => ({ action, required: false })),
    },
    auth: { storage: ['localstorage'] },
    externalAuth: { enabled: false, iss: null, aud: null, cookieName: null },
    confirmNewDevices: false,
  };
}
