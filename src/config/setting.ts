import { isIP, isIPv4, isIPv6 } from 'node:net';
import { isVendorName, VENDOR_NAMES } from './vendor-names.js';

/** One documented environment variable; the table in the README is generated from these. */
export interface Setting<T> {
  /** What it decides, in one sentence. */
  about: string;
  /** How the default is written in the table. */
  defaultText: string;
  secret?: boolean;
  read(text: string | undefined, isProduction: boolean): T;
}

/** An invalid setting. The message is one line, names the variable and the remedy, and never contains a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

interface Base<T> {
  about: string;
  defaultText?: string;
  default: T | ((isProduction: boolean) => T);
  secret?: boolean;
}

const fallback = <T>(base: Base<T>, isProduction: boolean): T =>
  typeof base.default === 'function' ? (base.default as (production: boolean) => T)(isProduction) : base.default;

const present = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

function setting<T>(base: Base<T>, parse: (text: string) => T): Setting<T> {
  return {
    about: base.about,
    defaultText: base.defaultText ?? String(typeof base.default === 'function' ? '' : (base.default ?? 'none')),
    secret: base.secret,
    read: (text, isProduction) => (present(text) ? parse(text.trim()) : fallback(base, isProduction)),
  };
}

export const textSetting = (base: Base<string>): Setting<string> => setting(base, (text) => text);

export const optionalText = (base: Omit<Base<string | null>, 'default'>): Setting<string | null> =>
  setting<string | null>({ ...base, default: null, defaultText: base.defaultText ?? 'none' }, (text) => text);

/** What a header can hold without being quoted: a secret that was copied with a line break is refused at once. */
const CREDENTIAL = /^[\x21-\x7e]+$/;

/** A key or token that is sent in a header. */
export const credentialSetting = (base: Omit<Base<string | null>, 'default'>): Setting<string | null> =>
  setting<string | null>({ ...base, default: null, defaultText: base.defaultText ?? 'none' }, (text) => {
    if (!CREDENTIAL.test(text)) throw new ConfigError('must be one word of printable ASCII characters');
    return text;
  });

interface Range {
  min: number;
  max: number;
  whole?: boolean;
}

/** `Number` would also read hexadecimal and exponents, which other readers of the same variable do not. */
const DECIMAL = /^\d+(?:\.\d+)?$/;

const readNumber =
  ({ min, max, whole }: Range) =>
  (text: string): number => {
    const value = DECIMAL.test(text) ? Number(text) : NaN;
    if (!(value >= min && value <= max) || (whole !== false && !Number.isInteger(value))) {
      throw new ConfigError(`must be ${whole === false ? 'a number' : 'a whole number'} from ${min} to ${max}`);
    }
    return value;
  };

export const numberSetting = (base: Base<number> & Range): Setting<number> => setting(base, readNumber(base));

export const optionalNumber = (base: Omit<Base<number | null>, 'default'> & Range): Setting<number | null> =>
  setting<number | null>({ ...base, default: null, defaultText: base.defaultText ?? 'none' }, readNumber(base));

export const booleanSetting = (base: Base<boolean>): Setting<boolean> =>
  setting(base, (text) => {
    if (!['true', 'false', '1', '0'].includes(text)) throw new ConfigError('must be true or false');
    return text === 'true' || text === '1';
  });

export const choiceSetting = <const V extends readonly string[]>(
  values: V,
  base: Base<V[number]>,
): Setting<V[number]> =>
  setting(base, (text) => {
    if (!values.includes(text)) throw new ConfigError(`must be one of ${values.join(', ')}`);
    return text;
  });

interface ListBase extends Base<readonly string[]> {
  /** Whether an item can be used; without it, any can. */
  item?: (text: string) => boolean;
  /** What the items must be, for the error message. */
  itemText?: string;
}

export const listSetting = (base: ListBase): Setting<readonly string[]> =>
  setting(base, (text) => {
    const items = text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
    if (base.item && !items.every(base.item)) throw new ConfigError(`must be a list of ${base.itemText ?? 'others'}`);
    return items;
  });

const MAX_WAITS = 20;
const LONGEST_WAIT_SECONDS = 604_800;

/** Waits in whole seconds, the first of which is 0. */
export const waitsSetting = (base: Base<readonly number[]>): Setting<readonly number[]> =>
  setting(
    { ...base, defaultText: base.defaultText ?? `\`${(base.default as readonly number[]).join(',')}\`` },
    (text) => {
      const waits = text.split(',').map((item) => (/^\d{1,6}$/.test(item.trim()) ? Number(item) : NaN));
      if (waits[0] !== 0 || waits.length > MAX_WAITS || !waits.every((wait) => wait <= LONGEST_WAIT_SECONDS)) {
        throw new ConfigError(
          `must be 0 and up to ${MAX_WAITS - 1} more whole numbers of seconds up to ${LONGEST_WAIT_SECONDS}, comma-separated`,
        );
      }
      return waits;
    },
  );

const HOST_NAME = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

/** A name in DNS (RFC 1123 §2.1), without scheme, port or path. */
export const hostNameSetting = (base: Omit<Base<string | null>, 'default'>): Setting<string | null> =>
  setting<string | null>({ ...base, default: null, defaultText: base.defaultText ?? 'none' }, (text) => {
    if (!HOST_NAME.test(text) || isIP(text)) throw new ConfigError('must be a host name such as id.example.com');
    return text.toLowerCase();
  });

/** An IP address with an optional port; an IPv6 address with a port is in brackets. */
export function isServerAddress(text: string): boolean {
  if (isIP(text)) return true;
  const [, v6, v4, port = ''] = /^(?:\[([\da-f:.]+)\]|([\d.]+)):(\d{1,5})$/i.exec(text) ?? [];
  return (v6 ? isIPv6(v6) : v4 !== undefined && isIPv4(v4)) && Number(port) >= 1 && Number(port) <= 65_535;
}

interface UrlBase extends Omit<Base<string | null>, 'default'> {
  /** Whether a host is required: without one, PostgreSQL uses a socket and Redis this machine. */
  hosted?: boolean;
  /** Whether it is of PostgreSQL, with the parameters of its driver. */
  isDatabase?: boolean;
  /** Whether it is of Redis, where the path is the number of a database. */
  isRedis?: boolean;
}

/** What the driver knows: it reads any other value as `verify-full`, and an empty one as no TLS. */
const TLS_MODES: readonly string[] = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];

export const urlSetting = (protocols: readonly string[], base: UrlBase): Setting<string | null> =>
  setting<string | null>({ ...base, default: null, defaultText: base.defaultText ?? 'none' }, (text) => {
    // Libraries parse the text themselves, and do not agree on a scheme without slashes.
    const starts = protocols.some((name) => text.toLowerCase().startsWith(`${name}//`));
    if (!starts || !URL.canParse(text)) {
      throw new ConfigError(`must be a URL that starts with ${protocols.map((name) => `${name}//`).join(' or ')}`);
    }
    const { hostname, username, password, pathname, searchParams } = new URL(text);
    if (base.hosted && hostname === '') throw new ConfigError('must name a host');
    // The client libraries decode them, and would fail with an unhelpful error.
    if (decodedOf(username) === null || decodedOf(password) === null) {
      throw new ConfigError('must have a percent-encoded user and password (% is %25)');
    }
    // The client would select a database that is no number, again and again, and end the process.
    if (base.isRedis && !/^\/?\d{0,5}$/.test(pathname)) {
      throw new ConfigError('must end with the number of a database, such as redis://host/0, or with none');
    }
    if (base.isDatabase && !searchParams.getAll('sslmode').every((mode) => TLS_MODES.includes(mode))) {
      throw new ConfigError(`must have one of these as sslmode: ${TLS_MODES.join(', ')}`);
    }
    return text;
  });

/** The name of a header is a token (RFC 9110 §5.1). */
const HEADER = /^([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/;
const PRINTABLE = /^[\x20-\x7e]*$/;

/** `name=value`, comma-separated, the values percent-encoded. */
export const headersSetting = (
  base: Omit<Base<Readonly<Record<string, string>>>, 'default'>,
): Setting<Readonly<Record<string, string>>> =>
  setting<Readonly<Record<string, string>>>({ ...base, default: {}, defaultText: 'none' }, (text) => {
    const pairs = text.split(',').filter((pair) => pair.trim() !== '');
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, name, value = ''] = HEADER.exec(pair.trim()) ?? [];
        const decoded = decodedOf(value.trim());
        if (name && decoded !== null && PRINTABLE.test(decoded)) return [name, decoded];
        throw new ConfigError('must be a list of name=value, comma-separated, the values percent-encoded');
      }),
    );
  });

function decodedOf(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The addresses of a vendor, for one provider type. */
export type VendorAddress = Partial<Record<(typeof ADDRESSES)[number], string>>;

const ADDRESSES = ['issuer', 'authorize', 'token', 'profile', 'api'] as const;

/** JSON by provider type, such as `{"google":{"issuer":"https://id.example.com"}}`. */
export const addressesSetting = (
  base: Omit<Base<Readonly<Record<string, VendorAddress>>>, 'default'>,
): Setting<Readonly<Record<string, VendorAddress>>> =>
  setting<Readonly<Record<string, VendorAddress>>>({ ...base, default: {}, defaultText: 'none' }, (text) => {
    const vendors = entriesOf(text);
    for (const [type, addresses] of vendors) {
      if (!isVendorName(type)) {
        throw new ConfigError(`must not name "${type.slice(0, 40)}": the vendors are ${VENDOR_NAMES.join(', ')}`);
      }
      for (const [name, address] of entriesOf(JSON.stringify(addresses))) {
        const isAddress = typeof address === 'string' && /^https?:$/.test(URL.parse(address)?.protocol ?? '');
        if (!ADDRESSES.includes(name as (typeof ADDRESSES)[number]) || !isAddress) {
          throw new ConfigError(`must give for "${type.slice(0, 40)}" addresses named ${ADDRESSES.join(', ')}`);
        }
      }
    }
    return Object.fromEntries(vendors) as Record<string, VendorAddress>;
  });

function entriesOf(text: string): [string, unknown][] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
  } catch {
    // Refused below, without quoting the text.
  }
  throw new ConfigError('must be a JSON object whose values are objects of addresses');
}

/** The addresses of a network's indexers. */
export type IndexerAddresses = Partial<Record<(typeof INDEXES)[number], string>>;

const INDEXES = ['balances', 'history'] as const;

/** JSON by CAIP-2 id, such as `{"eip155:1":{"history":"https://api.example.com/api?apikey=…"}}`. */
export const indexersSetting = (
  base: Omit<Base<Readonly<Record<string, IndexerAddresses>>>, 'default'>,
): Setting<Readonly<Record<string, IndexerAddresses>>> =>
  setting<Readonly<Record<string, IndexerAddresses>>>({ ...base, default: {}, defaultText: 'none' }, (text) => {
    const networks = entriesOf(text);
    for (const [caip2, addresses] of networks) {
      const isNetwork = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/.test(caip2);
      const own = typeof addresses === 'object' && addresses !== null ? Object.entries(addresses) : [];
      const isKnown = own.every(
        ([name, address]) =>
          INDEXES.includes(name as (typeof INDEXES)[number]) &&
          typeof address === 'string' &&
          /^https?:$/.test(URL.parse(address)?.protocol ?? ''),
      );
      if (!isNetwork || own.length === 0 || !isKnown) {
        throw new ConfigError(`must give for each CAIP-2 id addresses named ${INDEXES.join(' or ')}`);
      }
    }
    return Object.fromEntries(networks) as Record<string, IndexerAddresses>;
  });
