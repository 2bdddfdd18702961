import { fieldsOfType, type ProviderType } from '../types/provider-type.js';
import type { ConfigurationField, ProviderConfiguration, ProviderUpdateRequest } from './provider.dto.js';

export interface FieldFault {
  field: string;
  reason: string;
}

type Configuration = Partial<ProviderConfiguration>;

const HOST = /^(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*(?::\d{1,5})?(?:\/[\w./-]*)?$/i;
/** What a text has to look like, what to say otherwise, and the address that it becomes the beginning of. */
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
/** As in columns of text elsewhere; long enough for any address a vendor gives out. */
const MAX_TEXT = 2048;
/** A private key of 4,096 bits in PEM is shorter. */
const MAX_SECRET = 8192;
const SIGNING_KEY = 'must be the private key of the vendor, in PEM, on the curve P-256';

/** The fields of a request that belong to the configuration. */
export function configurationIn(request: ProviderUpdateRequest): Configuration {
  const { clientSecret: _secret, useDynamicCredentials: _dynamic, ...rest } = request;
  const { provider: _provider, termsUrl: _terms, ...configuration } = rest as Record<string, unknown>;
  return Object.fromEntries(Object.entries(configuration).filter(([, value]) => value !== undefined));
}

/** The expression lets through what no address can have, such as a port above 65535 or the host `1.2.3.999`. */
const fits = ([form, , address]: Form, value: string): boolean =>
  form.test(value) && (address === undefined || URL.canParse(address(value)));

/** What a request asks for and a provider of the type cannot have. */
export function faultsOf(type: ProviderType, request: ProviderUpdateRequest): FieldFault[] {
  const known: readonly string[] = fieldsOfType(type);
  const faults = Object.entries(configurationIn(request)).flatMap(([field, value]): FieldFault[] => {
    if (!known.includes(field)) return [{ field, reason: `a provider of the type ${type.name} has no such field` }];
    if (typeof value !== 'string' || value === '') return [];
    if (value.length > MAX_TEXT || /\p{Cc}/u.test(value)) return [{ field, reason: 'must be one line of text' }];
    const expected = FORMS[field as ConfigurationField];
    return expected && !fits(expected, value) ? [{ field, reason: expected[1] }] : [];
  });
  const { clientSecret, useDynamicCredentials } = request;
  if (useDynamicCredentials) {
    faults.push({ field: 'useDynamicCredentials', reason: 'there are no credentials but those of the environment' });
  }
  if (clientSecret && type.secret === 'none') {
    faults.push({ field: 'clientSecret', reason: `a provider of the type ${type.name} has no secret` });
  } else if (clientSecret && clientSecret.length > MAX_SECRET) {
    faults.push({ field: 'clientSecret', reason: `must have at most ${MAX_SECRET} characters` });
  } else if (clientSecret && type.isSecret && !type.isSecret(clientSecret)) {
    faults.push({ field: 'clientSecret', reason: type.secretForm ?? SIGNING_KEY });
  }
  return faults;
}

/** The configuration after a change: what is absent stays, an empty text removes. */
export function changed(configuration: Configuration, change: Configuration): Configuration {
  return Object.fromEntries(Object.entries({ ...configuration, ...change }).filter(([, value]) => value !== ''));
}

/**
 * Whether the secret would reach somebody else than whom it was given for. A field that was missing sends it nowhere
 * else, unless the type goes by one of several: then another one was in its place.
 */
export function movesSecret(type: ProviderType, before: Configuration, after: Configuration): boolean {
  const had = (field: ConfigurationField): boolean => before[field] !== undefined;
  const settles = (field: ConfigurationField): boolean =>
    had(field) || (type.oneOf.includes(field) && type.oneOf.some(had));
  return type.destination.some((field) => before[field] !== after[field] && settles(field));
}

const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** What a provider still needs before it can do its work. */
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
