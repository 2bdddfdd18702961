import { PROVIDER_KINDS, type ProviderKind } from '../../vocabulary/providers.js';

type Json = Record<string, unknown>;

/** A user as exported by an identity server, in the fields of a creation request. Nothing is validated yet. */
export interface ForeignUser {
  readonly form: string;
  /** The user's id on that server. */
  readonly sourceId: string | null;
  /** Users blocked there must not get in here. */
  readonly isBlocked: boolean;
  readonly isEmailVerified: boolean;
  readonly fields: Json;
  /** Providers of skipped accounts, unknown to this service. */
  readonly leftAccounts: readonly string[];
}

interface ForeignAccount {
  readonly provider: string;
  readonly accountId: unknown;
  readonly username?: unknown;
  readonly displayName?: unknown;
  readonly email?: unknown;
}

interface Form {
  readonly name: string;
  is(user: Json): boolean;
  read(user: Json): Omit<ForeignUser, 'form' | 'leftAccounts' | 'fields'> & {
    fields: Json;
    accounts?: readonly ForeignAccount[];
    hidden?: Json;
  };
}

/** As the profile field accepts it. */
const USER_NAME = /^[\p{L}\p{N}_-]{1,255}$/u;

const object = (value: unknown): Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Json) : {};
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(object) : []);
const text = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;
/** Accepts the ways tables and programs write true: `TRUE`, `True`, 1, `yes`. */
const word = (value: unknown): string => (text(value ?? '') ?? JSON.stringify(value)).trim().toLowerCase();
const yes = (value: unknown): boolean => ['true', 't', '1', 'yes', 'y'].includes(word(value));
/** True unless it says no: an unexpected spelling must not let in a user who may be blocked there. */
const unlessNo = (value: unknown): boolean => !['', 'false', 'f', '0', 'no', 'n'].includes(word(value));
/** An account marked as not enabled; false if the export does not say. */
const isOff = (enabled: unknown): boolean => word(enabled) !== '' && !yes(enabled);
/** Drops empty values: exports write `""` and `null` for missing ones. */
const given = (fields: Json): Json =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
const parsed = (value: unknown): unknown => {
  try {
    return typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
  } catch {
    return undefined;
  }
};

/** A username valid here. Servers also use an address or an id as the name; both have fields of their own. */
const userName = (...names: unknown[]): string | undefined =>
  names.map(text).find((name): name is string => name !== null && USER_NAME.test(name)) ?? undefined;

/** Export formats of common identity servers, recognised by fields that only one of them has. */
const FORMS: readonly Form[] = [
  {
    name: 'Firebase',
    is: ({ localId }) => localId !== undefined,
    read: (user) => ({
      sourceId: text(user['localId']),
      isBlocked: unlessNo(user['disabled']),
      isEmailVerified: yes(user['emailVerified']),
      fields: { email: user['email'], alias: user['displayName'], phoneNumber: user['phoneNumber'] },
      hidden: object(parsed(user['customAttributes'])),
      accounts: list(user['providerUserInfo']).map((one) => ({
        provider: text(one['providerId']) ?? '',
        accountId: one['rawId'],
        displayName: one['displayName'],
        email: one['email'],
      })),
    }),
  },
  {
    name: 'Cognito',
    is: ({ Username, Attributes }) => Username !== undefined && Array.isArray(Attributes),
    read: (user) => {
      const attributes = Object.fromEntries<unknown>(
        list(user['Attributes']).map((one) => [text(one['Name']) ?? '', one['Value']]),
      );
      const isOfPool = user['Username'] !== attributes['sub'] && user['UserStatus'] !== 'EXTERNAL_PROVIDER';
      const custom = Object.entries(attributes).filter(([name]) => name.startsWith('custom:'));
      return {
        sourceId: text(attributes['sub']) ?? text(user['Username']),
        isBlocked: isOff(user['Enabled']),
        isEmailVerified: yes(attributes['email_verified']),
        fields: {
          email: attributes['email'],
          firstName: attributes['given_name'],
          lastName: attributes['family_name'],
          alias: attributes['name'],
          // Pools with sign-in by address, or through another provider, use an id as the username.
          username: userName(attributes['preferred_username'], isOfPool && user['Username']),
          phoneNumber: attributes['phone_number'],
        },
        hidden: Object.fromEntries(custom),
        accounts: list(parsed(attributes['identities'])).map((one) => ({
          provider: text(one['providerName']) ?? '',
          accountId: one['userId'],
        })),
      };
    },
  },
  {
    name: 'Okta',
    is: ({ profile }) => object(profile)['login'] !== undefined,
    read: (user) => {
      const profile = object(user['profile']);
      return {
        sourceId: text(user['id']),
        isBlocked: ['suspended', 'deprovisioned', 'locked_out'].includes(word(user['status'])),
        // Okta emails the address before the first sign-in, but the export does not say whether the user responded.
        isEmailVerified: false,
        fields: {
          email: profile['email'],
          firstName: profile['firstName'],
          lastName: profile['lastName'],
          alias: profile['displayName'],
          username: userName(profile['login']),
          phoneNumber: profile['mobilePhone'],
        },
      };
    },
  },
  {
    name: 'Auth0',
    is: ({ user_id }) => user_id !== undefined,
    read: (user) => ({
      sourceId: text(user['user_id']),
      isBlocked: unlessNo(user['blocked']),
      isEmailVerified: yes(user['email_verified']),
      fields: {
        email: user['email'],
        firstName: user['given_name'],
        lastName: user['family_name'],
        alias: user['name'] ?? user['nickname'],
        username: userName(user['username']),
        phoneNumber: user['phone_number'],
        metadata: user['user_metadata'],
      },
      hidden: object(user['app_metadata']),
      accounts: list(user['identities']).map((one) => ({
        provider: text(one['provider']) ?? '',
        accountId: one['user_id'],
        email: object(one['profileData'])['email'],
      })),
    }),
  },
  {
    name: 'Keycloak',
    is: ({ username, emailVerified, createdTimestamp, federatedIdentities }) =>
      username !== undefined &&
      (typeof emailVerified === 'boolean' || createdTimestamp !== undefined || Array.isArray(federatedIdentities)),
    read: (user) => ({
      sourceId: text(user['id']) ?? text(user['username']),
      isBlocked: isOff(user['enabled']),
      isEmailVerified: yes(user['emailVerified']),
      fields: {
        email: user['email'],
        firstName: user['firstName'],
        lastName: user['lastName'],
        username: userName(user['username']),
      },
      hidden: object(user['attributes']),
      accounts: list(user['federatedIdentities']).map((one) => ({
        provider: text(one['identityProvider']) ?? '',
        accountId: one['userId'],
        username: one['userName'],
      })),
    }),
  },
];

/** The fields of a creation request under their own names, as in a CSV file. */
const PLAIN: Form = {
  name: 'plain',
  is: () => true,
  read: ({ id, emailVerified, blocked, metadata, privateMetadata, policiesConsent, ...fields }) => ({
    sourceId: text(id),
    isBlocked: unlessNo(blocked),
    isEmailVerified: yes(emailVerified),
    fields: {
      ...fields,
      ...(metadata !== undefined && { metadata: parsed(metadata) ?? metadata }),
      ...(privateMetadata !== undefined && { privateMetadata: parsed(privateMetadata) ?? privateMetadata }),
      ...(policiesConsent !== undefined && { policiesConsent: yes(policiesConsent) }),
    },
  }),
};

/** Providers with a different name here. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  'google-oauth2': 'google',
  'google.com': 'google',
  loginwithgoogle: 'google',
  'apple.com': 'apple',
  signinwithapple: 'apple',
  'facebook.com': 'facebook',
  'github.com': 'github',
  'twitter.com': 'twitter',
};
/** Accounts on the server itself: an address or number with a password or code, already fields of the user. */
const OF_THE_SERVER = new Set(['auth0', 'email', 'sms', 'password', 'phone']);

const providerOf = (name: string): ProviderKind | undefined => {
  const lower = name.toLowerCase();
  return PROVIDER_KINDS.values.find((kind) => kind === (PROVIDER_NAMES[lower] ?? lower));
};

/** Null for anything but an object. */
export function readForeignUser(value: unknown): ForeignUser | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const user = value as Json;
  const form = FORMS.find((one) => one.is(user)) ?? PLAIN;
  const { accounts = [], hidden = {}, fields, ...rest } = form.read(user);
  const foreign = accounts.filter(({ provider }) => provider !== '' && !OF_THE_SERVER.has(provider.toLowerCase()));
  const oauthAccounts = foreign.flatMap(({ provider, accountId, email, ...shown }) => {
    const kind = providerOf(provider);
    if (!kind) return [];
    return [given({ provider: kind, accountId: text(accountId), ...shown, emails: text(email) ? [email] : undefined })];
  });
  const own = fields['privateMetadata'] || {};
  const isObject = typeof own === 'object' && !Array.isArray(own);
  const privateMetadata = { ...object(own), ...hidden, ...(rest.sourceId !== null && { importedId: rest.sourceId }) };
  return {
    form: form.name,
    ...rest,
    fields: given({
      ...fields,
      ...(oauthAccounts.length > 0 && { oauthAccounts }),
      // A non-object stays as it is, for the request validation to report.
      ...(isObject && Object.keys(privateMetadata).length > 0 && { privateMetadata }),
    }),
    leftAccounts: foreign.filter(({ provider }) => !providerOf(provider)).map(({ provider }) => provider),
  };
}
