/** A field that an environment can request from its users. */
export interface AskedField {
  name: string;
  required: boolean;
  /** A custom field of this type. */
  custom?: 'text' | 'checkbox';
}

/** In the order of prompting: the standard ones first, each kind in its own order. */
export const FIELDS: readonly AskedField[] = [
  { name: 'email', required: true },
  { name: 'phoneNumber', required: true },
  { name: 'jobTitle', required: true },
  { name: 'tShirtSize', required: false },
  { name: 'team', required: false },
  { name: 'country', required: true },
  { name: 'policiesConsent', required: true },
  { name: 'badge', required: true, custom: 'text' },
  { name: 'motto', required: false, custom: 'text' },
  { name: 'adult', required: true, custom: 'checkbox' },
  { name: 'news', required: false, custom: 'checkbox' },
  { name: 'retired', required: true, custom: 'text' },
];

/** Contact fields; the sign-in method decides who has them. */
export const CONTACTS = ['email', 'phoneNumber'] as const;
/** Fields that are in the settings but disabled. */
const OFF = ['country', 'retired'];
/** All requested fields, for any user. */
const ASKED = FIELDS.map(({ name }) => name).filter(
  (name) => !OFF.includes(name) && !(CONTACTS as readonly string[]).includes(name),
);

export type Profile = Readonly<Record<string, string | boolean | null>>;

/** An environment's requested fields, a user's answers, and the result. */
export interface Row {
  name: string;
  /** Enabled fields. */
  asks: readonly string[];
  /** The setting; absent in older environments. */
  skipsOptional?: boolean;
  /** Everybody's answers. */
  given: Profile;
  missing: readonly string[];
  scope: 'user:basic' | 'userDataForm';
  /** Contacts are requested as well, and missing unless the sign-in method or the team provided them. */
  asksContacts?: true;
}

const REQUIRED = { jobTitle: 'Analyst', policiesConsent: true, badge: '42', adult: true };
const OPTIONAL = { tShirtSize: 'M', team: 'Engines', motto: 'Onwards', news: true };

export const ROWS: readonly Row[] = [
  { name: 'nothing is asked for', asks: [], skipsOptional: false, given: {}, missing: [], scope: 'user:basic' },
  {
    name: 'nothing is answered, and the settings never spoke of optional fields',
    asks: ASKED,
    given: {},
    missing: ['jobTitle', 'policiesConsent', 'badge', 'adult'],
    scope: 'userDataForm',
  },
  {
    name: 'nothing is answered, and optional fields are skipped',
    asks: ASKED,
    skipsOptional: true,
    given: {},
    missing: ['jobTitle', 'policiesConsent', 'badge', 'adult'],
    scope: 'userDataForm',
  },
  {
    name: 'nothing is answered, and optional fields are asked for too',
    asks: ASKED,
    skipsOptional: false,
    given: {},
    missing: ['jobTitle', 'tShirtSize', 'team', 'policiesConsent', 'badge', 'motto', 'adult', 'news'],
    scope: 'userDataForm',
  },
  {
    name: 'what is required is answered, and optional fields are skipped',
    asks: ASKED,
    skipsOptional: true,
    given: REQUIRED,
    missing: [],
    scope: 'user:basic',
  },
  {
    name: 'what is required is answered, and optional fields are asked for too',
    asks: ASKED,
    skipsOptional: false,
    given: REQUIRED,
    missing: ['tShirtSize', 'team', 'motto', 'news'],
    scope: 'user:basic',
  },
  {
    name: 'everything is answered',
    asks: ASKED,
    skipsOptional: false,
    given: { ...REQUIRED, ...OPTIONAL },
    missing: [],
    scope: 'user:basic',
  },
  {
    name: 'the answers are empty, or no',
    asks: ASKED,
    skipsOptional: false,
    given: { ...OPTIONAL, jobTitle: '', policiesConsent: false, badge: null, adult: false, news: false },
    missing: ['jobTitle', 'policiesConsent', 'badge', 'adult'],
    scope: 'userDataForm',
  },
  {
    name: 'one standard field is left',
    asks: ASKED,
    skipsOptional: true,
    given: { ...REQUIRED, jobTitle: null },
    missing: ['jobTitle'],
    scope: 'userDataForm',
  },
  {
    name: 'one field of the environment is left',
    asks: ASKED,
    skipsOptional: true,
    given: { ...REQUIRED, badge: '' },
    missing: ['badge'],
    scope: 'userDataForm',
  },
  {
    name: 'an address and a number are asked for',
    asks: ASKED,
    asksContacts: true,
    skipsOptional: true,
    given: REQUIRED,
    missing: [],
    scope: 'user:basic',
  },
];

/** The contacts in a response. */
export type Contacts = Partial<Record<(typeof CONTACTS)[number], unknown>>;

/** What a response about a user must contain. */
export function expectedOf(row: Row, contacts: Contacts): { missing: string[]; scope: string } {
  const unknown = row.asksContacts ? CONTACTS.filter((name) => !contacts[name]) : [];
  const isIncomplete = row.scope === 'userDataForm' || unknown.length > 0;
  return { missing: [...unknown, ...row.missing], scope: isIncomplete ? 'userDataForm' : 'user:basic' };
}
