import { Injectable, Optional } from '@nestjs/common';
import { currentCause } from '../common/cause.js';
import { SecurityEvent, SecurityLog } from '../common/security/index.js';
import { egressEvent, EgressPolicy } from './egress-policy.js';
import { GuardedDispatcher } from './guarded-dispatcher.js';
import { OutboundExchange } from './outbound-exchange.js';
import type { OutboundResponse } from './outbound-exchange.js';
import { OutboundError } from './outbound.errors.js';

export const DEFAULT_TIMEOUT_MS = 15_000;
export const DEFAULT_MAX_RESPONSE_BYTES = 64 * 1024;

export interface OutboundRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  /** Headers that frame the message or the connection are ignored; see {@link OWN_HEADERS}. */
  headers?: Readonly<Record<string, string>>;
  /** Sent byte for byte. */
  body?: Buffer | string;
  /** Absolute deadline for the whole exchange; default 15 000. */
  timeoutMs?: number;
  /** Default 65 536. */
  maxResponseBytes?: number;
}

export interface OutboundResult extends OutboundResponse {
  /** From the call to the last byte read. */
  durationMs: number;
}

/** Headers set by this client alone: a caller's `host` would also change the name in the TLS handshake. */
export const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'accept-encoding',
]);

/**
 * The only way to call addresses chosen by tenants or third parties. Guarded at every step: the URL, every address, one
 * absolute deadline, a response size limit, no redirects, no decompression.
 */
@Injectable()
export class OutboundHttp {
  constructor(
    private readonly policy: EgressPolicy,
    private readonly dispatcher: GuardedDispatcher,
    @Optional() private readonly security?: SecurityLog,
  ) {}

  /** Any status is a result, 3xx included. @throws OutboundError without a complete response. */
  async send(request: OutboundRequest): Promise<OutboundResult> {
    const verdict = this.policy.checkUrl(request.url);
    if (!verdict.allowed) {
      if (egressEvent(verdict.reason).security) this.noteRefused();
      throw new OutboundError('blocked', `the URL may not be called: ${verdict.reason}`);
    }
    try {
      return await this.exchange(request, verdict.url);
    } catch (error) {
      if (error instanceof OutboundError && error.kind === 'blocked') this.noteRefused();
      throw error;
    }
  }

  /** Neither the address nor the host: both are tenant input. */
  private noteRefused(): void {
    this.security?.record(SecurityEvent.EgressRefused, { requestId: currentCause()?.requestId });
  }

  private async exchange(request: OutboundRequest, { origin, pathname, search }: URL): Promise<OutboundResult> {
    const startedAt = performance.now();

    const exchange = new OutboundExchange(
      request.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      request.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES,
    );
    this.dispatcher.dispatch(
      {
        origin,
        path: pathname + search,
        method: request.method,
        headers: headerList(request.headers),
        body: request.body,
      },
      exchange,
    );
    const response = await exchange.response;
    return { ...response, durationMs: performance.now() - startedAt };
  }

  /** Refuses new requests, waits for those in progress (each within its deadline), then closes every connection. */
  async close(): Promise<void> {
    if (!this.dispatcher.closed) await this.dispatcher.close();
  }
}

/** Flat name-value list, the form undici accepts without copying. */
function headerList(headers: Readonly<Record<string, string>> = {}): string[] {
  const list = ['accept-encoding', 'identity'];
  let named = false;
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (OWN_HEADERS.has(lower)) continue;
    if (lower === 'user-agent') named = true;
    list.push(name, value);
  }
  if (!named) list.push('user-agent', 'gatehouse');
  return list;
}
