import { isRecord, valueAt } from './settings-fields.js';
import type { FieldProblem } from './settings-validation.js';
import type { ProjectSettings, SecuritySettings, SignupFieldSettings } from './settings.types.js';

/** A setting for a feature that does not exist here yet, or that something else determines. */
interface Unenforced {
  /** Whether the value requests nothing. */
  isOff: (value: unknown) => boolean;
  /** What is missing before it can be turned on. */
  missing: string;
}

const isFalse = (value: unknown): boolean => value === false;
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && isEmptyRecord(value));
const isEmptyRecord = (value: object): boolean => Object.keys(value).length === 0;
const only =
  (expected: unknown) =>
  (value: unknown): boolean =>
    value === expected;

const switchThat = (missing: string): Unenforced => ({ isOff: isFalse, missing });
const valueThat = (missing: string): Unenforced => ({ isOff: isEmpty, missing });

const NO_SPONSOR = 'nothing here pays for transactions or makes smart accounts';
const NO_FUNDING = 'ramps and exchanges are on as the providers of the environment are';
const NO_CHOICE = 'the client decides where copies of shares go';
const NO_RELAY = 'shares go through the rooms of this service, and through no relay';

/** A context that implements one removes its entry. */
export const UNENFORCED_SETTINGS: Readonly<Record<string, Unenforced>> = {
  'sdk.nameService.evm.domain': valueThat(
    'the domain of names is set with createNameService, which asks for its proof',
  ),
  'sdk.featureFlags.enableExchanges': switchThat('exchanges are on as createExchange and enableExchange have them'),
  'sdk.emailSignIn.signInProvider': { isOff: only('dynamic'), missing: 'codes are sent by this service alone' },
  'sdk.socialSignIn.signInProvider': {
    isOff: only('dynamic'),
    missing: 'accounts are asked for by this service alone',
  },
  'sdk.socialSignIn.providers': valueThat(
    'providers are switched on with enableProvider, which asks for what they need',
  ),
  'sdk.exchangeOptions': valueThat('which exchanges there are is decided with createExchange'),
  'sdk.multiWalletUnlinkDisabled': switchThat('users may always unlink wallets that they can prove'),
  'sdk.onrampFunding': switchThat(NO_FUNDING),
  'sdk.embeddedWallets.automaticEmbeddedWalletCreationForExternal': switchThat(
    'wallets are made when their user asks for one',
  ),
  'sdk.embeddedWallets.forceAuthenticatorAtSignup': switchThat('a sign-up asks for no passkey'),
  'sdk.embeddedWallets.domainEnabledByProvider': switchThat('providers decide nothing about domains'),
  'sdk.embeddedWallets.svmGasSponsorshipEnabled': switchThat(NO_SPONSOR),
  'sdk.waas.allowMultipleWaasWalletsPerChain': switchThat('the seed of a user has one wallet of each chain'),
  'sdk.waas.passcodeRequired': switchThat('no operation on wallets asks for a passcode'),
  'sdk.waas.backupOptions': valueThat(NO_CHOICE),
  'sdk.waas.relayUrl': valueThat(NO_RELAY),
  'sdk.waas.delegatedAccessEndpoint': valueThat('what users deliver arrives in an event of a webhook'),
  'sdk.waas.delegatedAccess.promptUsersOnSignIn': switchThat('the client asks its users'),
  'sdk.waas.delegatedAccess.requiresDelegation': switchThat('wallets work without delegated access'),
  'sdk.waas.enableForwardMPCClient': switchThat(NO_RELAY),
  'sdk.waas.customKeyshareRelayBaseUrl': valueThat(NO_RELAY),
  'sdk.confirmEmailProviderForVerify': switchThat('an address that a provider states is never taken for proven'),
  'sdk.preventOrphanedAccounts': { isOff: only(true), missing: 'the last credential of a user can never be unlinked' },
  'sdk.accountAbstraction.allWallets': switchThat(NO_SPONSOR),
  'sdk.accountAbstraction.allUsers': switchThat(NO_SPONSOR),
  'sdk.accountAbstraction.separateSmartWalletAndSigner': switchThat(NO_SPONSOR),
  'sdk.accountAbstraction.enablePasskeys': switchThat(NO_SPONSOR),
  'sdk.blockEmailSubaddresses': switchThat('addresses with a part after + sign in like all others'),
  'sdk.funding.onramps': valueThat(NO_FUNDING),
  'sdk.funding.externalWallets.enabled': switchThat(NO_FUNDING),
};

const UNENFORCED = Object.entries(UNENFORCED_SETTINGS).map(([path, { isOff, missing }]) => ({
  names: path.split('.'),
  problem: { path, message: missing },
  isOff,
}));

/** A token of RFC 9110, as RFC 6265 section 4.1.1 demands. */
const COOKIE_NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;

/** Standard fields whose values are unique per person, and those that are verified. */
const UNIQUE_FIELDS: readonly string[] = ['email', 'username', 'phoneNumber'];
const PROVEN_FIELDS: readonly string[] = ['email', 'phoneNumber'];

/** Settings that would have no effect, and what they need to have one. */
export function unenforcedProblems(settings: ProjectSettings): FieldProblem[] {
  const on = UNENFORCED.filter(({ names, isOff }) => {
    const value = valueAt(settings, names);
    return value !== undefined && !isOff(value);
  });
  return [
    ...on.map(({ problem }) => problem),
    ...tokenPlaceProblems(settings.security),
    ...settings.kyc.flatMap(fieldProblems),
  ];
}

/** Places for tokens that no client has, and a cookie that no browser sends. */
function tokenPlaceProblems({ auth, externalAuth }: SecuritySettings): FieldProblem[] {
  const cookieName = externalAuth?.cookieName;
  return [
    ...(auth?.storage.length === 0
      ? [{ path: 'security.auth.storage', message: 'names no place in which a client keeps its session token' }]
      : []),
    ...(cookieName && !COOKIE_NAME.test(cookieName)
      ? [
          {
            path: 'security.externalAuth.cookieName',
            message: "is no name of a cookie: letters, digits and !#$%&'*+-.^_`|~",
          },
        ]
      : []),
  ];
}

function fieldProblems(field: SignupFieldSettings, index: number): FieldProblem[] {
  const { name, enabled, unique, verify, validationRules } = field;
  const at = (path: string): string => `kyc.${index}.${path}`;
  return [
    ...(unique && !UNIQUE_FIELDS.includes(name)
      ? [{ path: at('unique'), message: `several users may have the same ${name}` }]
      : []),
    ...(enabled && !unique && UNIQUE_FIELDS.includes(name)
      ? [{ path: at('unique'), message: `no two users can give themselves the same ${name}` }]
      : []),
    ...(verify && !PROVEN_FIELDS.includes(name) ? [{ path: at('verify'), message: `nobody proves ${name}` }] : []),
    ...(isEmpty(validationRules ?? null)
      ? []
      : [{ path: at('validationRules'), message: 'standard fields have no rules; a custom field has' }]),
  ];
}
