/** Replaces a secret. */
export const REDACTED = '[redacted]';

/** Names of fields whose values are never recorded, in lower case without `_` and `-`. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  ...['secret', 'token', 'password', 'passphrase', 'passcode', 'code', 'pin', 'otp', 'mnemonic', 'seed', 'entropy'],
  ...['authorization', 'cookie', 'credentials', 'signature'],
]);

/** Any name with one of these endings also counts: `clientSecret`, `rawToken`, `stripeApiKey`, `sealedSecret`. */
const SECRET_ENDINGS = [
  'secret',
  'token',
  'password',
  'apikey',
  'secretkey',
  'privatekey',
  'tokenhash',
  'authorization',
];

export function isSecretName(name: string): boolean {
  const bare = name.toLowerCase().replaceAll(/[_-]/g, '');
  return SECRET_NAMES.has(bare) || SECRET_ENDINGS.some((ending) => bare.endsWith(ending));
}

/** `b…@example.com`, or `b…`: enough to tell people apart without revealing who they are. */
export const hinted = (identifier: string): string =>
  `${[...identifier][0] ?? ''}…${identifier.includes('@', 1) ? identifier.slice(identifier.lastIndexOf('@')) : ''}`;

/** A value that may be compared but never shown. */
export class Hidden {
  constructor(readonly identity: string | number) {}
}

const identities = new WeakMap<object, number>();
let lastIdentity = 0;

function identityOf(value: object): number {
  let identity = identities.get(value);
  if (identity === undefined) identities.set(value, (identity = ++lastIdentity));
  return identity;
}

/**
 * A value as JSON represents it, recursively. Bytes are hidden, since only secrets are stored as bytes; so are objects
 * that serialise as redacted, two of which are equal only when they are the same object.
 */
export function plain(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return value;
  if (value instanceof Uint8Array) return new Hidden(Buffer.from(value).toString('base64'));
  if (Array.isArray(value)) return value.map(plain);
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    const written: unknown = (value.toJSON as () => unknown)();
    const isRedacted = typeof written === 'string' && written.endsWith(REDACTED);
    return isRedacted ? new Hidden(identityOf(value)) : plain(written);
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
}

/** A plain value with every secret replaced by a marker. */
export function masked(value: unknown): unknown {
  if (value instanceof Hidden) return REDACTED;
  if (Array.isArray(value)) return value.map(masked);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isSecretName(name) ? REDACTED : masked(member)]),
  );
}

/** A value without its secrets, at any depth: for the payload of events. */
export function withoutSecrets(value: object): object {
  return stripped(plain(value)) as object;
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !(item instanceof Hidden)).map(stripped);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !isSecretName(name) && !(member instanceof Hidden))
      .map(([name, member]) => [name, stripped(member)]),
  );
}
