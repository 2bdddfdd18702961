import { isIP, isIPv4 } from 'node:net';
import { ConfigError } from './setting.js';
import type { SettingValues } from './settings.js';

/** Names that Express knows for ranges of addresses. */
const NAMED_RANGES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** `name@host`, alone or in angle brackets behind the name of the sender. */
const SENDER = /^(?:[^<>@\s]+@[^<>@\s]+|[^<>]*<[^<>@\s]+@[^<>@\s]+>)$/;

type Addresses = Pick<SettingValues, 'PUBLIC_URL' | 'TRUST_PROXY' | 'MAIL_FROM'>;

/** Addresses of which a wrong one would only show later, in links that lead nowhere and in mails that nobody takes. */
export function assertAddresses({ PUBLIC_URL, TRUST_PROXY, MAIL_FROM }: Addresses): void {
  // Paths are put behind it as they are, and what it shows everybody sees.
  if (PUBLIC_URL !== null && !isPlain(new URL(PUBLIC_URL), PUBLIC_URL)) {
    throw new ConfigError('PUBLIC_URL must be an address without a user, a query or a fragment.');
  }
  const stranger = TRUST_PROXY.find((range) => !isRange(range));
  if (stranger !== undefined) {
    throw new ConfigError(
      `TRUST_PROXY must be a list of IP addresses or CIDRs, comma-separated (seen: ${JSON.stringify(stranger)}).`,
    );
  }
  if (!SENDER.test(MAIL_FROM)) {
    throw new ConfigError(
      `MAIL_FROM must be an email address, or a name and one as in Example <no-reply@example.com> (seen: ${JSON.stringify(MAIL_FROM)}).`,
    );
  }
}

/** An empty query or fragment leaves no trace in a URL that was read, and is in the way of a path as well. */
const isPlain = ({ username, password }: URL, text: string): boolean =>
  username === '' && password === '' && !/[?#]/.test(text);

/** What Express takes: a CIDR of no bits, which would trust everybody, is none. */
function isRange(text: string): boolean {
  if (NAMED_RANGES.has(text)) return true;
  const [, address = '', bits] = /^([^/]+)(?:\/(.+))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0 || bits === undefined) return version !== 0;
  if (/^\d{1,3}$/.test(bits)) return Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128);
  return version === 4 && isNetmask(bits);
}

/** Such as 255.255.0.0: ones, then zeros. */
function isNetmask(text: string): boolean {
  if (!isIPv4(text)) return false;
  const bits = text.split('.').map((part) => Number(part).toString(2).padStart(8, '0'));
  return /^1+0*$/.test(bits.join(''));
}
