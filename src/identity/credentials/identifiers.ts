import { domainToASCII, domainToUnicode } from 'node:url';
import { isValidPhoneNumber, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.min';

/** How users are told apart. Social names can pass to another person: they are a hint and never proof. */
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

/** An email in the form in which two spellings of one mailbox are equal. */
export interface EmailIdentifier {
  /** Local part lower-cased, domain in punycode (RFC 5891 §4): what emails are compared and claimed by. */
  normal: string;
  /** Every lower-case spelling under which a stored email may be this one. */
  spellings: string[];
}

const MAX_EMAIL = 255;
/** What ends or escapes a host in a URL is left out: `domainToASCII` would read another domain than mail goes to. */
const EMAIL = /^([^\s@]{1,64})@([^\s@/:?#\\%[\]]+)$/u;
/** `domainToASCII` makes commas and brackets of some letters, by which a text may be read as several addresses. */
const DOMAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

/** Null when the text is not an address. Dots and tags of the local part belong to the mailbox and are kept. */
export function normaliseEmail(text: string): EmailIdentifier | null {
  const [, local, domain] = EMAIL.exec(text.trim().normalize('NFC')) ?? [];
  if (!local || !domain || text.length > MAX_EMAIL) return null;
  const ascii = domainToASCII(domain.toLowerCase());
  if (!DOMAIN.test(ascii)) return null;
  const name = local.toLowerCase();
  const normal = `${name}@${ascii}`;
  const spellings = new Set([normal, `${name}@${domain.toLowerCase()}`, `${name}@${domainToUnicode(ascii)}`]);
  return { normal, spellings: [...spellings] };
}

/**
 * The normal form of an email that is not of ASCII alone: the database lowers some letters in another way, and knows
 * nothing of punycode. Null where its `lower` gives the same, and for what is no address.
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
  /** ISO 3166-1 alpha-2 where the number tells it. */
  isoCountryCode: string | null;
}

/** The country a national number is of: by name, or by dialling code with or without a plus sign. */
export interface PhoneCountry {
  isoCountryCode?: string;
  phoneCountryCode?: string;
}

/** Null when the text is not a possible number, or has neither a country code of its own nor a country. */
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

/** Account ids are opaque to us: compared exactly, within their provider and the connection to it. */
export const socialAccountKey = (provider: string, accountId: string, connection?: string): string =>
  `${provider}${connection ? `/${connection}` : ''}:${accountId}`;

/** Providers treat names without case and allow a leading at sign when they are written. */
export const socialUsernameKey = (provider: string, username: string): string =>
  `${provider}:${username.trim().replace(/^@/, '').toLowerCase()}`;
