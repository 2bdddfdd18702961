import { isIP } from 'node:net';
import { SecurityEvent } from '../common/security/index.js';
import { classifyAddress } from './address-class.js';
import { EgressAllowList } from './egress-allow-list.js';
import { bareHost, isHostName, isInsideHost } from './host-name.js';

/** Longest accepted URL, in characters, before and after normalisation. */
export const MAX_URL_LENGTH = 2048;

/** Ports of public receivers; a destination on the allow list may use any port. */
export const DEFAULT_PORTS: readonly number[] = [443, 8443];

export interface EgressOptions {
  /** Plain http to any public host; meant for development. Also allows port 80. */
  allowHttp: boolean;
  /** Default {@link DEFAULT_PORTS}. */
  allowedPorts?: readonly number[];
  /** Whether a public IP literal is allowed as the host; off in production. */
  allowIpLiterals: boolean;
}

/** Stable codes, each with a sentence for tenants: none of them reveals anything about the internal network. */
export const EGRESS_REFUSALS = {
  malformed: 'This is not a valid absolute URL.',
  too_long: `The URL is longer than ${MAX_URL_LENGTH} characters.`,
  scheme: 'The URL must start with https://.',
  credentials: 'The URL must not carry a user name or password.',
  fragment: 'The URL must not carry a fragment (#…): it would never be sent.',
  host: 'The host must be a public host name.',
  host_name: 'The host is not a valid host name.',
  ip_literal: 'The host must be a name, not an IP address.',
  address: 'The host must lead to a public address.',
  port: 'This port is not allowed.',
} as const;
export type EgressRefusal = keyof typeof EGRESS_REFUSALS;

/** The security event for an internal address or name, which is unlikely to be a mistake; none for other reasons. */
export const egressEvent = (reason: EgressRefusal): { security?: SecurityEvent } =>
  reason === 'address' || reason === 'host' ? { security: SecurityEvent.EgressRefused } : {};

export interface EgressRefused {
  allowed: false;
  reason: EgressRefusal;
  /** Safe to show to a tenant. */
  message: string;
}
export type EgressVerdict = { allowed: true } | EgressRefused;
/** `url` is the normalised form to store and to call. */
export type UrlVerdict = { allowed: true; url: URL } | EgressRefused;

const AUTHORITY_WITH_AT = /^[a-z]+:\/*[^/?#]*@/i;

/**
 * Which destinations outbound requests may reach. `checkUrl` is called on saving and again before each request;
 * `checkAddress` for each address about to be dialled, which is the decisive check: DNS answers change.
 */
export class EgressPolicy {
  private readonly allowList: EgressAllowList;
  private readonly ports: ReadonlySet<number>;

  /** @throws Error with a one-line message if `allowText` (`EGRESS_ALLOW`) is invalid. */
  constructor(
    allowText: string,
    private readonly options: EgressOptions,
  ) {
    this.allowList = EgressAllowList.parse(allowText);
    this.ports = new Set(options.allowedPorts ?? DEFAULT_PORTS);
  }

  checkUrl(text: string): UrlVerdict {
    if (text.length > MAX_URL_LENGTH) return refused('too_long');
    // The URL parser drops tabs and line breaks and reads `\` as `/`; another reader of the stored text may not.
    if (/[\s\p{Cc}\\]/u.test(text)) return refused('malformed');
    const url = URL.parse(text);
    if (url === null) return refused('malformed');
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('scheme');
    if (AUTHORITY_WITH_AT.test(text)) return refused('credentials');
    if (text.includes('#')) return refused('fragment');
    if (url.href.length > MAX_URL_LENGTH) return refused('too_long');
    const host = bareHost(url.hostname);
    const reason = this.refusalOf(url, host, effectivePort(url));
    return reason === null ? { allowed: true, url } : refused(reason);
  }

  /**
   * @param address IP literal about to be dialled
   * @param host host name it was resolved from, or the same literal
   */
  checkAddress(address: string, host: string, port: number): EgressVerdict {
    if (this.lists(host, port)) return { allowed: true };
    if (this.allowList.allowsAddress(address, port)) return { allowed: true };
    return classifyAddress(address) === 'public' ? { allowed: true } : refused('address');
  }

  /** Whether the operator has listed a host, so that strangers did not choose it. */
  lists(host: string, port: number): boolean {
    return this.allowList.allowsHost(bareHost(host.toLowerCase()), port);
  }

  private refusalOf(url: URL, host: string, port: number): EgressRefusal | null {
    if (this.allowList.allowsHost(host, port)) return null;
    if (url.protocol === 'http:' && !this.options.allowHttp) return 'scheme';
    if (isIP(host) !== 0) {
      if (classifyAddress(host) !== 'public') return 'address';
      if (!this.options.allowIpLiterals) return 'ip_literal';
    } else if (!isHostName(host)) {
      return 'host_name';
    } else if (isInsideHost(host)) {
      return 'host';
    }
    return this.ports.has(port) || (port === 80 && this.options.allowHttp) ? null : 'port';
  }
}

export function effectivePort(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function refused(reason: EgressRefusal): EgressRefused {
  return { allowed: false, reason, message: EGRESS_REFUSALS[reason] };
}
