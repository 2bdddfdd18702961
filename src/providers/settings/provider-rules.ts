import { isSupportedCountry, type CountryCode } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.min';
import { fieldsOfType, type ProviderType } from '../types/provider-type.js';
import type {
  ConfigurationField,
  ProviderConfiguration,
  ProviderUpdateRequest,
  SmsCountryCode,
} from './provider.dto.js';
import type { ProviderRow } from './provider.entity.js';

export interface FieldFault {
  field: string;
  reason: string;
}

type Configuration = Partial<ProviderConfiguration>;

const HOST = /^(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*(?::\d{1,5})?(?:\/[\w./-]*)?$/i;
/** A text format, its error message, and the URL that the value becomes part of. */
type Form = readonly [form: RegExp, reason: string, address?: (value: string) => string];

const FORMS: Partial<Record<ConfigurationField, Form>> = {
  commerceStore: [/^[a-z0-9][a-z0-9-]{0,62}$/i, 'must be the name of a store, without .myshopify.com'],
  domain: [
    HOST,
    'must be a host name, with a path where there is one, without https://',
    (domain) => `https://${domain}`,
  ],
  accountSid: [/^[A-Za-z0-9]{1,64}$/, 'must be the id of an account: letters and digits'],
  smsSenderNumber: [/^\+?[0-9A-Za-z ]{1,20}$/, 'must be a number or a sender name of at most 20 characters'],
  scopes: [/^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/, 'must be scopes separated by single spaces'],
};
/** The limit of other text columns; long enough for any URL a vendor issues. */
const MAX_TEXT = 2048;
/** A 4,096-bit private key in PEM is shorter. */
const MAX_SECRET = 8192;
/** RFC 6749 appendix A.2. Anything else, such as a copied line break, no header can carry. */
const PLAIN_SECRET = /^[\x20-\x7E]+$/;
const SIGNING_KEY = 'must be the private key of the vendor, in PEM, on the curve P-256';

/** The configuration fields of a request. */
export function configurationIn(request: ProviderUpdateRequest): Configuration {
  const { clientSecret: _secret, useDynamicCredentials: _dynamic, ...rest } = request;
  const { provider: _provider, termsUrl: _terms, ...configuration } = rest as Record<string, unknown>;
  return Object.fromEntries(Object.entries(configuration).filter(([, value]) => value !== undefined));
}

/** The expression accepts some values that no URL can have, such as a port above 65535 or the host `1.2.3.999`. */
const fits = ([form, , address]: Form, value: string): boolean =>
  form.test(value) && (address === undefined || URL.canParse(address(value)));

/** A country may have several dialling codes. */
const countryKey = ({ isoCountryCode, phoneCountryCode }: SmsCountryCode): string =>
  `${isoCountryCode.toUpperCase()} ${phoneCountryCode.replace(/\D/g, '')}`;

/** The country of a number is derived from the number: one that no number has would never be met. */
const isCountry = ({ isoCountryCode }: SmsCountryCode): boolean =>
  isSupportedCountry(isoCountryCode.toUpperCase() as CountryCode, metadata);

/** Fields in a request that a provider of the type cannot have. */
export function faultsOf(type: ProviderType, request: ProviderUpdateRequest): FieldFault[] {
  const known: readonly string[] = fieldsOfType(type);
  const faults = Object.entries(configurationIn(request)).flatMap(([field, value]): FieldFault[] => {
    if (!known.includes(field)) return [{ field, reason: `a provider of the type ${type.name} has no such field` }];
    if (typeof value !== 'string' || value === '') return [];
    if (value.length > MAX_TEXT || /\p{Cc}/u.test(value)) return [{ field, reason: 'must be one line of text' }];
    const expected = FORMS[field as ConfigurationField];
    return expected && !fits(expected, value) ? [{ field, reason: expected[1] }] : [];
  });
  const { clientSecret, useDynamicCredentials, enabledCountries = [] } = request;
  if (new Set(enabledCountries.map(countryKey)).size < enabledCountries.length) {
    faults.push({ field: 'enabledCountries', reason: 'must name each country once' });
  }
  const strange = enabledCountries.find((country) => !isCountry(country));
  if (strange) {
    const reason = `no phone number is of the country ${strange.isoCountryCode}: use ISO 3166-1 alpha-2, such as GB`;
    faults.push({ field: 'enabledCountries', reason });
  }
  if (useDynamicCredentials) {
    faults.push({ field: 'useDynamicCredentials', reason: 'there are no credentials but those of the environment' });
  }
  if (clientSecret && type.secret === 'none') {
    faults.push({ field: 'clientSecret', reason: `a provider of the type ${type.name} has no secret` });
  } else if (clientSecret && clientSecret.length > MAX_SECRET) {
    faults.push({ field: 'clientSecret', reason: `must have at most ${MAX_SECRET} characters` });
  } else if (clientSecret && type.isSecret && !type.isSecret(clientSecret)) {
    faults.push({ field: 'clientSecret', reason: type.secretForm ?? SIGNING_KEY });
  } else if (clientSecret && !type.isSecret && !PLAIN_SECRET.test(clientSecret)) {
    faults.push({ field: 'clientSecret', reason: 'must be one line of printable ASCII, as the vendor shows it' });
  }
  return faults;
}

/** The configuration after a change: absent fields stay, an empty string removes. */
export function changed(configuration: Configuration, change: Configuration): Configuration {
  return Object.fromEntries(Object.entries({ ...configuration, ...change }).filter(([, value]) => value !== ''));
}

/**
 * Whether the secret would be sent to a different destination than it was issued for. Filling in a missing field does
 * not move it, unless the type uses one of several: then another one was in use before.
 */
export function movesSecret(type: ProviderType, before: Configuration, after: Configuration): boolean {
  const had = (field: ConfigurationField): boolean => before[field] !== undefined;
  const settles = (field: ConfigurationField): boolean =>
    had(field) || (type.oneOf.includes(field) && type.oneOf.some(had));
  return type.destination.some((field) => before[field] !== after[field] && settles(field));
}

/** Whether an enabled provider still has its secret, and remains complete, with another configuration. */
export function keeps(
  type: ProviderType,
  { configuration: before, sealedSecret }: Pick<ProviderRow, 'configuration' | 'sealedSecret'>,
  after: Configuration,
): { secret: boolean; complete: boolean } {
  const secret = sealedSecret !== null && !movesSecret(type, before, after);
  return { secret, complete: missingOf(type, after, secret).length === 0 };
}

const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** What a provider lacks before it can be enabled. */
export function missingOf(type: ProviderType, configuration: Configuration, hasSecret: boolean): FieldFault[] {
  if (type.serves === null)
    return [{ field: 'provider', reason: 'nothing in this service calls providers of this type' }];
  const missing = (field: string): FieldFault => ({ field, reason: 'is missing' });
  const present = (field: ConfigurationField): boolean => isPresent(configuration[field]);
  return [
    ...type.required.filter((field) => !present(field)).map(missing),
    ...(type.oneOf.length > 0 && !type.oneOf.some(present)
      ? [{ field: type.oneOf[0]!, reason: `one of ${type.oneOf.join(', ')} is missing` }]
      : []),
    ...(type.secret === 'required' && !hasSecret ? [missing('clientSecret')] : []),
  ];
}
