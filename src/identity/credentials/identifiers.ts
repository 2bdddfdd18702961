import { domainToASCII, domainToUnicode } from 'node:url';
import { isValidPhoneNumber, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.min';

/** The kinds of identifier. Social usernames can change hands: they are a hint, never proof. */
export type IdentifierKind =
  | 'email'
  | 'phoneNumber'
  | 'externalUserId'
  | 'foreignSubject'
  | 'id'
  | 'passkey'
  | 'socialAccountId'
  | 'socialUsername'
  | 'wallet';

/** An email, normalised so that two spellings of one mailbox are equal. */
export interface EmailIdentifier {
  /** Local part lower-cased, domain in punycode (RFC 5891 §4): what emails are compared and claimed by. */
  normal: string;
  /** Every lower-case spelling under which a stored email may be this one. */
  spellings: string[];
}

const MAX_EMAIL = 255;
/** Excludes what ends or escapes a host in a URL: `domainToASCII` would read another domain than mail uses. */
const EMAIL = /^([^\s@]{1,64})@([^\s@/:?#\\%[\]]+)$/u;
/** `domainToASCII` turns some letters into commas and brackets, which could make one address read as several. */
const DOMAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

/** Null if the text is not an address. Dots and tags in the local part belong to the mailbox and are kept. */
export function normaliseEmail(text: string): EmailIdentifier | null {
  const [, local, domain] = EMAIL.exec(text.trim().normalize('NFC')) ?? [];
  if (!local || !domain || text.length > MAX_EMAIL) return null;
  const ascii = domainToASCII(domain.toLowerCase());
  if (!DOMAIN.test(ascii)) return null;
  // Again, as some small letters are one character where the capital letter is two.
  const name = local.toLowerCase().normalize('NFC');
  const normal = `${name}@${ascii}`;
  const spellings = new Set([normal, `${name}@${domain.toLowerCase()}`, `${name}@${domainToUnicode(ascii)}`]);
  return { normal, spellings: [...spellings] };
}

/**
 * The normal form of a non-ASCII email: the database lower-cases some letters differently and does not know punycode.
 * Null for ASCII text, where `lower` gives the same, and for anything that is not an address.
 */
export const emailKeyOf = (email: string): string | null =>
  /^[\x20-\x7e]*$/.test(email) ? null : (normaliseEmail(email)?.normal ?? null);

export interface PhoneIdentifier {
  /** E.164, such as `+41446681800`. */
  e164: string;
  /** The number without its country code. */
  national: string;
  /** The dialling code without a plus sign. */
  countryCode: string;
  /** ISO 3166-1 alpha-2, if the number reveals it. */
  isoCountryCode: string | null;
}

/** The country of a national number: by ISO code, or by dialling code with or without a plus sign. */
export interface PhoneCountry {
  isoCountryCode?: string;
  phoneCountryCode?: string;
}

/** Null if the text is not a possible number, or neither it nor `country` gives a country code. */
export function normalisePhone(text: string, country: PhoneCountry = {}): PhoneIdentifier | null {
  const number = text.trim();
  const region = country.isoCountryCode?.toUpperCase() as CountryCode | undefined;
  const code = country.phoneCountryCode?.replace(/\D/g, '');
  const whole = !number.startsWith('+') && code && !region ? `+${code}${number.replace(/\D/g, '')}` : number;
  if (!isValidPhoneNumber(whole, { defaultCountry: region }, metadata)) return null;
  const parsed = parsePhoneNumberFromString(whole, { defaultCountry: region }, metadata);
  if (!parsed) return null;
  return {
    e164: parsed.number,
    national: parsed.nationalNumber,
    countryCode: parsed.countryCallingCode,
    isoCountryCode: parsed.country ?? null,
  };
}

/** Account ids are opaque: compared exactly, within their provider and connection. */
export const socialAccountKey = (provider: string, accountId: string, connection?: string): string =>
  `${provider}${connection ? `/${connection}` : ''}:${accountId}`;

/** Providers treat usernames as case-insensitive and allow a leading at sign. */
export const socialUsernameKey = (provider: string, username: string): string =>
  `${provider}:${username.trim().replace(/^@/, '').toLowerCase()}`;
