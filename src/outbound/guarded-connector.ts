import type { LookupAddress } from 'node:dns';
import { connect as connectTcp, isIP } from 'node:net';
import type { Socket, TcpNetConnectOpts } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { buildConnector } from 'undici';
import type { EgressPolicy } from './egress-policy.js';
import { bareHost } from './host-name.js';
import type { HostResolver } from './host-resolver.js';
import { Deadline } from './deadline.js';
import { OutboundError } from './outbound.errors.js';

export type Dial = (options: TcpNetConnectOpts) => Socket;

export interface GuardedConnectorOptions {
  policy: EgressPolicy;
  resolver: HostResolver;
  /** For hosts that the operator has listed by name. */
  listedResolver: HostResolver;
  /** Limit for the TCP and TLS handshakes together, counted from the DNS response. */
  connectTimeoutMs: number;
  /** Trusted certificates (PEM) that replace the built-in roots. */
  ca?: string | string[];
  dial?: Dial;
}

/** Maximum number of cached resumption tickets; each takes a few kilobytes. */
const MAX_TLS_SESSIONS = 500;

/**
 * Opens the pool's sockets: resolve once, check every address, dial only checked ones. One forbidden address refuses
 * the host as a whole; otherwise a name with a public and a private address would get through by chance. IP literals
 * take the same path, since `net.connect` does not call its `lookup` hook for them.
 */
export class GuardedConnector {
  private readonly tlsSessions = new LRUCache<string, Buffer>({ max: MAX_TLS_SESSIONS });
  private readonly dial: Dial;

  constructor(private readonly options: GuardedConnectorOptions) {
    this.dial = options.dial ?? connectTcp;
  }

  /** In the callback form that undici requires. */
  readonly connect: buildConnector.connector = (target, callback) => {
    this.open(target).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };

  private async open({ hostname, port, protocol }: buildConnector.Options): Promise<Socket> {
    const host = bareHost(hostname);
    const secure = protocol === 'https:';
    const portNumber = port ? Number(port) : secure ? 443 : 80;
    const addresses = await this.checkedAddresses(host, portNumber);

    const plain = this.dial(dialOptions(host, portNumber, addresses));
    plain.setNoDelay(true);
    plain.setKeepAlive(true, 60_000);
    let socket = plain;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const { connectTimeoutMs } = this.options;
    const deadline = new Deadline(connectTimeoutMs, () =>
      reject(new OutboundError('timeout', `no connection to ${host} in ${connectTimeoutMs} ms`)),
    );
    try {
      await Promise.race([opened(plain, 'connect', tcpFailure), late]);
      if (secure) {
        socket = this.startTls(plain, host, portNumber);
        await Promise.race([opened(socket, 'secureConnect', tlsFailure), late]);
      }
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      deadline.clear();
    }
  }

  private async checkedAddresses(host: string, port: number): Promise<LookupAddress[]> {
    const { policy, resolver, listedResolver } = this.options;
    const family = isIP(host);
    const chosen = policy.lists(host, port) ? listedResolver : resolver;
    const addresses = family === 0 ? await chosen.resolve(host) : [{ address: host, family }];
    for (const { address } of addresses) {
      const verdict = policy.checkAddress(address, host, port);
      if (!verdict.allowed) throw new OutboundError('blocked', `${host} leads to ${address}, which may not be called`);
    }
    return addresses;
  }

  private startTls(socket: Socket, host: string, port: number): Socket {
    const key = `${host}:${port}`;
    const secured = connectTls({
      socket,
      // RFC 6066 section 3 forbids literals in SNI; `host` alone then gives the identity the certificate must have.
      servername: isIP(host) === 0 ? host : undefined,
      host,
      session: this.tlsSessions.get(key),
      ALPNProtocols: ['http/1.1'],
      ca: this.options.ca,
    });
    secured.on('session', (session) => this.tlsSessions.set(key, session));
    return secured;
  }
}

function dialOptions(host: string, port: number, addresses: LookupAddress[]): TcpNetConnectOpts {
  const [first] = addresses;
  if (addresses.length === 1 && first) return { host: first.address, port };
  // RFC 8305: with several addresses, each gets a short time before the next is tried.
  return {
    host,
    port,
    autoSelectFamily: true,
    lookup: (_host, options, callback) => {
      if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    },
  };
}

function opened(socket: Socket, event: string, failure: (error: Error) => OutboundError): Promise<void> {
  return new Promise((resolve, reject) => {
    // The listener stays: a later error on a losing socket must not end the process.
    socket.on('error', (error) => reject(failure(error)));
    socket.once('close', () => reject(failure(new Error('closed during the handshake'))));
    socket.once(event, () => resolve());
  });
}

function tcpFailure(cause: Error): OutboundError {
  return new OutboundError(isTimeout(cause) ? 'timeout' : 'refused', 'cannot connect', { cause });
}

function tlsFailure(cause: Error): OutboundError {
  return new OutboundError('tls', 'the TLS handshake failed', { cause });
}

function isTimeout(error: Error): boolean {
  if (error instanceof AggregateError) return error.errors.every((each) => each instanceof Error && isTimeout(each));
  return 'code' in error && error.code === 'ETIMEDOUT';
}
