import { isIP, isIPv4 } from 'node:net';
import { ConfigError } from './setting.js';
import type { SettingValues } from './settings.js';

/** Express names for address ranges. */
const NAMED_RANGES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** `name@host`, alone or in angle brackets after the sender's name. */
const SENDER = /^(?:[^<>@\s]+@[^<>@\s]+|[^<>]*<[^<>@\s]+@[^<>@\s]+>)$/;

/** What can be listened at: a name, or an address without brackets. Whether this machine has it shows when it is used. */
const OWN_HOST = /^[\w.:%-]{1,253}$/;

type Addresses = Pick<
  SettingValues,
  'HOST' | 'METRICS_HOST' | 'PUBLIC_URL' | 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'TRUST_PROXY' | 'MAIL_FROM'
>;

/** Validates addresses whose errors would only show later, as dead links and rejected mails. @throws ConfigError */
export function assertAddresses({ TRUST_PROXY, MAIL_FROM, ...addresses }: Addresses): void {
  for (const name of ['HOST', 'METRICS_HOST'] as const) {
    if (!OWN_HOST.test(addresses[name])) {
      throw new ConfigError(
        `${name} must be an address of this machine such as 127.0.0.1 (seen: ${JSON.stringify(addresses[name])}).`,
      );
    }
  }
  // Paths are appended to them as they are. The one is public, and the other is called without its user.
  for (const name of ['PUBLIC_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const) {
    const text = addresses[name];
    if (text !== null && !isPlain(new URL(text), text)) {
      throw new ConfigError(`${name} must be an address without a user, a query or a fragment.`);
    }
  }
  const stranger = TRUST_PROXY.find((range) => !isRange(range));
  if (stranger !== undefined) {
    throw new ConfigError(
      `TRUST_PROXY must be a comma-separated list of IP addresses or CIDRs (seen: ${JSON.stringify(stranger)}).`,
    );
  }
  if (!SENDER.test(MAIL_FROM)) {
    throw new ConfigError(
      `MAIL_FROM must be an email address, alone or as in Example <no-reply@example.com> (seen: ${JSON.stringify(MAIL_FROM)}).`,
    );
  }
}

/** Checks the text as well: parsing drops an empty query or fragment, which would still break appended paths. */
const isPlain = ({ username, password }: URL, text: string): boolean =>
  username === '' && password === '' && !/[?#]/.test(text);

/** Whether Express accepts it, except for a CIDR with 0 bits, which would trust everybody. */
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
