import { Agent } from 'undici';
import type { EgressPolicy } from './egress-policy.js';
import type { Dial } from './guarded-connector.js';
import { GuardedConnector } from './guarded-connector.js';
import type { ResolveHost } from './host-resolver.js';
import { DNS_TIMEOUT_MS, HostResolver, resolveWithDns, resolveWithSystem } from './host-resolver.js';

export interface GuardedDispatcherOptions {
  /** Default: the system's resolver for hosts that `EGRESS_ALLOW` lists by name, DNS for all others. */
  resolveHost?: ResolveHost;
  /** Default 2 000. */
  dnsTimeoutMs?: number;
  /** TCP and TLS together, default 3 000. */
  connectTimeoutMs?: number;
  /** Open connections to one origin, default 128. */
  connectionsPerOrigin?: number;
  /** Trusted certificates (PEM) that replace the built-in roots. */
  ca?: string | string[];
  /** How a checked address becomes a socket, default `net.connect`. */
  dial?: Dial;
}

export const CONNECT_TIMEOUT_MS = 3000;
const CONNECTIONS_PER_ORIGIN = 128;
const MAX_RESPONSE_HEADER_BYTES = 16 * 1024;
/** The maximum age of a connection: its address is only checked when dialling, so it must be redialled. */
const CONNECTION_TTL_MS = 5 * 60_000;
const IDLE_CONNECTION_MS = 4000;
const MAX_IDLE_CONNECTION_MS = 60_000;

/**
 * A pool whose sockets are all opened by {@link GuardedConnector}. HTTP/1.1 only: the response limits rely on closing
 * the socket. Redirects are not followed, since no redirect interceptor is installed. The parser's own timeouts are off
 * because the caller's deadline is absolute (a timer per chunk never ends a slow drip).
 */
export class GuardedDispatcher extends Agent {
  constructor(policy: EgressPolicy, options: GuardedDispatcherOptions = {}) {
    const dnsTimeoutMs = options.dnsTimeoutMs ?? DNS_TIMEOUT_MS;
    const connector = new GuardedConnector({
      policy,
      resolver: new HostResolver(options.resolveHost ?? resolveWithDns(), dnsTimeoutMs),
      listedResolver: new HostResolver(options.resolveHost ?? resolveWithSystem, dnsTimeoutMs),
      connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      ca: options.ca,
      dial: options.dial,
    });
    super({
      connect: connector.connect,
      connections: options.connectionsPerOrigin ?? CONNECTIONS_PER_ORIGIN,
      clientTtl: CONNECTION_TTL_MS,
      keepAliveTimeout: IDLE_CONNECTION_MS,
      keepAliveMaxTimeout: MAX_IDLE_CONNECTION_MS,
      maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
      headersTimeout: 0,
      bodyTimeout: 0,
      pipelining: 1,
      allowH2: false,
    });
  }
}
