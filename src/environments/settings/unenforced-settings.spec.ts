import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { defaultSettings, type EnvironmentKind } from './default-settings.js';
import { FOREIGN_SECTIONS } from './foreign-sections.js';
import { someSetting } from './setting-values.fixture.js';
import { withField, type FieldNode } from './settings-fields.js';
import { SETTINGS_FIELDS } from './settings-schema.js';
import { UNENFORCED_SETTINGS, unenforcedProblems } from './unenforced-settings.js';

/** Settings that the service itself acts on, and where; a section stands for all that is in it. */
const ENFORCED: Record<string, string> = {
  chains: '../../networks/configuration/client-networks.ts',
  kyc: '../../../migrations/20261122010003-ask-required-fields.ts',
  'general.displayName': '../../identity/methods/email-code/code-mails.ts',
  'general.emailCompanyName': '../../identity/methods/email-code/code-mails.ts',
  'general.skipOptionalKYCFieldDuringOnboarding': '../../../migrations/20261122010003-ask-required-fields.ts',
  'privacy.collectIp': '../../identity/flows/sessions/session-terms.ts',
  'sdk.embeddedWallets.defaultWalletVersion': '../../wallets/console/embedded-wallets.service.ts',
  'sdk.embeddedWallets.emailRecoveryEnabled': '../../wallets/recovery/recovery-mails.ts',
  'sdk.embeddedWallets.sessionKeyDuration': './session-key-duration.ts',
  'sdk.passkeyEmbeddedWalletRecoveryEnabled': '../../wallets/recovery/recovery-mails.ts',
  'sdk.waas.delegatedAccess.enabled': '../../wallets/delegation/delegation-settings.ts',
  'security.jwtDuration': './jwt-duration.ts',
  'security.captcha.enabled': '../../identity/flows/captcha/captcha.ts',
  'security.captcha.secretKey': '../secrets/environment-secrets.ts',
  'security.mfa': './mfa-methods.ts',
  'security.confirmNewDevices': '../../identity/devices/device.requirement.ts',
  'security.auth.storage': '../../identity/sessions/cookie-guard.ts',
  'security.externalAuth.cookieName': '../../identity/methods/external-token/external-token.method.ts',
  'security.externalAuth.enabled': '../external-jwt/external-tokens.ts',
  'security.externalAuth.iss': '../external-jwt/external-tokens.ts',
  'security.externalAuth.aud': '../external-jwt/external-tokens.ts',
  'security.externalAuth.jwksUrl': '../external-jwt/external-tokens.ts',
};

/** Settings that the service only tells: how pages of the application look, and what they offer first. */
const TOLD_TO_CLIENTS = [
  ...['design', 'general.appLogo', 'general.collectUserDataWelcomeHeader', 'general.collectUserDataWelcomeMessage'],
  ...['general.imageUserInAccessList', 'general.imageUserNotInAccessList', 'general.supportEmail'],
  ...['general.supportText', 'general.supportUrls', 'security.captcha.siteKey', 'sdk.confirmWalletTransfers'],
  ...['sdk.automaticEmbeddedWalletCreation', 'sdk.disabledWalletConnectors', 'sdk.displayPlatformMessaging'],
  ...['sdk.embeddedWalletSecurityMethods', 'sdk.enableMultiAsset', 'sdk.featureFlags.connectOnlyMultiAsset'],
  ...['sdk.embeddedWallets.allowSkippingAuthenticatorAtSignup', 'sdk.embeddedWallets.automaticEmbeddedWalletCreation'],
  'sdk.embeddedWallets.chainConfigurations',
  'sdk.embeddedWallets.promptForKeyExport',
  ...['sdk.embeddedWallets.showEmbeddedWalletActionsUI', 'sdk.embeddedWallets.supportedSecurityMethods'],
  ...['sdk.embeddedWallets.transactionSimulation', 'sdk.funding.externalWallets.defaultSettings'],
  ...['sdk.funding.externalWallets.minAmount', 'sdk.hideNetworkInWidget', 'sdk.mobile', 'sdk.multiWallet'],
  ...['sdk.passkeyEmbeddedWalletEnabled', 'sdk.showFiat', 'sdk.views'],
  ...['sdk.waas.onSignUp', 'sdk.walletConnect'],
];

const namesOf = (node: FieldNode, prefix = ''): string[] =>
  Object.entries(node.fields ?? {}).flatMap(([name, field]) =>
    field.fields ? namesOf(field, `${prefix}${name}.`) : [prefix + name],
  );

const CLASSIFIED = [
  ...Object.keys(ENFORCED),
  ...TOLD_TO_CLIENTS,
  ...Object.keys(UNENFORCED_SETTINGS),
  ...Object.keys(FOREIGN_SECTIONS),
];
const isClassified = (name: string): boolean =>
  CLASSIFIED.filter((known) => name === known || name.startsWith(`${known}.`)).length === 1;

describe('every setting', () => {
  const names = namesOf(SETTINGS_FIELDS);

  it('is enforced, told to clients, kept elsewhere, or refused; of each it is known which', () => {
    expect(names.length).toBeGreaterThan(80);
    expect(names.filter((name) => !isClassified(name))).toEqual([]);
    // A switch that somebody adds and nobody looks at is found.
    expect(isClassified('sdk.newSwitch')).toBe(false);
    const stale = CLASSIFIED.filter((known) => !names.some((name) => name === known || name.startsWith(`${known}.`)));
    expect(stale).toEqual([]);
  });

  it.each(Object.entries(ENFORCED))('%s is read where it is said to be enforced', (name, file) => {
    const url = new URL(file, import.meta.url);
    expect(existsSync(url)).toBe(true);
    const text = readFileSync(url, 'utf8');
    if (name !== 'security.captcha.secretKey') expect(text).toContain(name.split('.').at(-1)!);
  });
});

describe('a setting that nothing enforces', () => {
  it.each<EnvironmentKind>(['sandbox', 'live', 'console'])('is off in a new %s environment', (kind) => {
    expect(unenforcedProblems(defaultSettings(kind))).toEqual([]);
  });

  it.each(Object.keys(UNENFORCED_SETTINGS))('cannot be on: %s', (name) => {
    const { isOff, missing } = UNENFORCED_SETTINGS[name]!;
    const value = [someSetting(name), false].find((candidate) => !isOff(candidate));
    const problems = unenforcedProblems(withField(defaultSettings('sandbox'), name, value));
    expect(problems).toContainEqual({ path: name, message: missing });
  });

  it('includes that values may be shared which never are, while users are asked for them', () => {
    const settings = defaultSettings('sandbox');
    const shared = (enabled: boolean): string[] => {
      settings.kyc = settings.kyc.map((field) => ({ ...field, enabled, unique: false }));
      return unenforcedProblems(settings).map(({ path }) => settings.kyc[Number(path.split('.')[1])]!.name);
    };
    expect(shared(true)).toEqual(['email', 'username', 'phoneNumber']);
    expect(shared(false)).toEqual([]);
  });

  it('includes uniqueness, proofs and rules of standard fields that have none', () => {
    const settings = defaultSettings('sandbox');
    settings.kyc = settings.kyc.map((field) => ({
      ...field,
      unique: true,
      verify: true,
      ...(field.name === 'team' && { validationRules: { regex: 'a' } }),
    }));
    const names = (part: string): string[] =>
      unenforcedProblems(settings).flatMap(({ path }) => {
        const [, index, rest] = path.split('.');
        return rest === part ? [settings.kyc[Number(index)]!.name] : [];
      });
    expect(names('unique')).not.toContain('email');
    expect(names('unique')).toContain('alias');
    expect(names('verify')).toContain('username');
    expect(names('verify')).not.toContain('phoneNumber');
    expect(names('validationRules')).toEqual(['team']);
  });
});
