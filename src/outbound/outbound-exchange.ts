import type { Dispatcher } from 'undici';
import { Deadline } from './deadline.js';
import { OutboundError } from './outbound.errors.js';

/** `body` holds the raw bytes as sent, never decompressed; `truncated` means that the response exceeded the limit. */
export interface OutboundResponse {
  status: number;
  /** Lower-case names; a repeated field is an array. */
  headers: Record<string, string | string[]>;
  body: Buffer;
  truncated: boolean;
}

type ResponseHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/** Answers of status 1xx before the real one. There is no use for more, and each costs as much as a whole answer. */
const MOST_INFORMATIONAL = 100;

/** TLS alerts received after the handshake, for example a request for a client certificate (RFC 8446 section 4.4.2). */
const TLS_CODE = /^(ERR_SSL_|ERR_TLS_|EPROTO$)/;
const SOCKET_CODES = new Set([
  'UND_ERR_SOCKET',
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);

/**
 * One request and its response, under one deadline that covers everything from the call, through queue, DNS, connect
 * and headers, to the last byte of the body. It settles at the deadline even if no connection ever opened, and reads no
 * more than `maxResponseBytes`: then the socket is closed.
 */
export class OutboundExchange implements Dispatcher.DispatchHandler {
  private readonly settled = Promise.withResolvers<OutboundResponse>();
  private readonly deadline: Deadline;
  private controller: Dispatcher.DispatchController | null = null;
  private over = false;
  private answering = false;
  private informational = 0;
  /** What was received is its first `size` bytes. */
  private bytes = Buffer.alloc(0);
  private size = 0;
  private status = 0;
  private headers: OutboundResponse['headers'] = {};

  constructor(
    timeoutMs: number,
    private readonly maxResponseBytes: number,
  ) {
    this.deadline = new Deadline(timeoutMs, () => {
      this.stop(new OutboundError('timeout', `no complete answer in ${timeoutMs} ms`));
    });
  }

  get response(): Promise<OutboundResponse> {
    return this.settled.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Throwing, unlike aborting, returns the connection just assigned to this request to the pool.
    if (this.over) throw new OutboundError('timeout', 'the deadline passed before the request was sent');
    this.controller = controller;
  }

  onResponseStarted(): void {
    this.answering = true;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return this.countInformational();
    this.status = status;
    this.headers = headers as OutboundResponse['headers'];
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.over) return;
    const room = this.maxResponseBytes - this.size;
    this.append(chunk.subarray(0, room));
    if (chunk.length <= room) return;
    this.finish(true);
    controller.abort(new Error('the answer is longer than the limit'));
  }

  onResponseEnd(): void {
    this.finish(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(this.classify(error));
  }

  /**
   * A copy: the chunk is a view that would keep the whole receive buffer alive. All in one buffer: a peer that sends
   * chunks of one byte would take a hundred times the memory of its answer with one for each.
   */
  private append(chunk: Buffer): void {
    const size = this.size + chunk.length;
    if (size > this.bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(size, Math.min(2 * this.bytes.length, this.maxResponseBytes)));
      this.bytes.copy(grown, 0, 0, this.size);
      this.bytes = grown;
    }
    chunk.copy(this.bytes, this.size);
    this.size = size;
  }

  private countInformational(): void {
    this.informational += 1;
    if (this.informational <= MOST_INFORMATIONAL) return;
    this.stop(new OutboundError('protocol', `more than ${MOST_INFORMATIONAL} informational answers`));
  }

  private stop(error: OutboundError): void {
    this.fail(error);
    this.controller?.abort(error);
  }

  private finish(truncated: boolean): void {
    if (!this.end()) return;
    const body = this.bytes.subarray(0, this.size);
    this.settled.resolve({ status: this.status, headers: this.headers, body, truncated });
  }

  private fail(error: OutboundError): void {
    if (this.end()) this.settled.reject(error);
  }

  /** True for the first caller only: anything undici reports later, such as an abort, is ignored. */
  private end(): boolean {
    if (this.over) return false;
    this.over = true;
    this.deadline.clear();
    return true;
  }

  private classify(cause: Error): OutboundError {
    if (cause instanceof OutboundError) return cause;
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (TLS_CODE.test(code)) return new OutboundError('tls', 'the TLS connection failed', { cause });
    // A peer that closes without sending anything has refused; one that closes mid-response broke the protocol.
    if (!this.answering && SOCKET_CODES.has(code)) {
      return new OutboundError('refused', 'the connection was closed', { cause });
    }
    return new OutboundError('protocol', 'the exchange is not valid HTTP', { cause });
  }
}
