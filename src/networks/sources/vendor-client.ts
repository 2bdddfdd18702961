import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { VendorFigures } from '../../observability/index.js';
import {
  OutboundError,
  OutboundHttp,
  type OutboundErrorKind,
  type OutboundRequest,
  type OutboundResult,
} from '../../outbound/index.js';
import { CircuitBreaker } from '../rpc/circuit-breaker.js';
import { isMisread } from '../rpc/misread.js';
import { SingleFlight } from './single-flight.js';
import { VendorUnavailableError, type VendorFailure } from './vendor-unavailable.error.js';

/** Overall: all attempts at all addresses, and all calls for one question. */
const DEADLINE_MS = 5_000;
const FIRST_TRY_MS = 3_000;
const MAX_BYTES = 512 * 1024;

const FAILURES: Record<OutboundErrorKind, VendorFailure> = {
  timeout: 'timeout',
  dns: 'unreachable',
  tls: 'unreachable',
  refused: 'unreachable',
  blocked: 'unreachable',
  protocol: 'garbage',
};

/** Failures before any byte was sent. A closed connection may have been closed at any time. */
const NEVER_SENT: ReadonlySet<OutboundErrorKind> = new Set(['dns', 'blocked']);

export interface VendorQuestion {
  /** The name in metrics and errors, such as `ecb`. */
  vendor: string;
  /** At most two are tried. */
  urls: readonly string[];
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
  maxBytes?: number;
  /** How long others get the same answer; by default not at all. */
  keptMs?: number;
  /** Asks again even if an answer is cached. */
  fresh?: boolean;
  /** For one of several calls, when the answer must be there: what `deadline` returned before the first. */
  until?: number;
  /**
   * What makes two questions equal if headers or body always differ; must identify who the answer is for. With null the
   * answer is never shared.
   */
  key?: string | null;
  /**
   * Whose failures are counted together if a tenant has chosen the addresses: one tenant's choice must not block the
   * same host for others.
   */
  circuit?: string;
  /** The error for a status from 400 to 499; null if the answer says nothing useful. */
  refusal?: (status: number, text: string) => Error | null;
}

/**
 * Queries vendors: two attempts within five seconds, the second at the other address, a circuit breaker per address, a
 * response size limit. Concurrent identical questions are sent once. Callers set how long an answer is cached.
 */
@Injectable()
export class VendorClient {
  private readonly breaker = new CircuitBreaker();
  private readonly flights = new SingleFlight<unknown>();

  constructor(
    private readonly http: OutboundHttp,
    private readonly clock: Clock,
    private readonly figures: VendorFigures,
  ) {}

  /**
   * @param read throws {@link VendorUnavailableError} on unusable answers, so that the other address is tried
   * @throws VendorUnavailableError
   */
  text<T>(question: VendorQuestion, read: (text: string) => T): Promise<T> {
    const { vendor, urls, method = 'GET', headers = {}, body = '', keptMs, fresh } = question;
    if (question.key === null) return this.ask(question, read);
    const asked = question.key === undefined ? [JSON.stringify(headers), body] : [question.key];
    const key = [vendor, method, ...urls, ...asked].join('\n');
    return this.flights.run(key, () => this.ask(question, read), { keptMs, fresh }) as Promise<T>;
  }

  /** When a question that starts now must be answered. For several calls, pass it to each as `until`. */
  deadline(): number {
    return this.clock.timestamp() + DEADLINE_MS;
  }

  json<T>(question: VendorQuestion, read: (value: unknown) => T): Promise<T> {
    return this.text(question, (text) => read(parsed(question.vendor, text)));
  }

  private async ask<T>(question: VendorQuestion, read: (text: string) => T): Promise<T> {
    const [first, second] = question.urls;
    if (first === undefined) throw new VendorUnavailableError(question.vendor, 'unreachable');
    const { until = this.deadline() } = question;
    const leftMs = (): number => until - this.clock.timestamp();
    if (leftMs() <= 0) throw new VendorUnavailableError(question.vendor, 'timeout', { wasSent: false });
    try {
      return await this.tryAddress(question, first, read, Math.min(leftMs(), second ? FIRST_TRY_MS : DEADLINE_MS));
    } catch (error) {
      if (!(error instanceof VendorUnavailableError) || second === undefined || leftMs() <= 0) throw error;
      return this.tryAddress(question, second, read, leftMs());
    }
  }

  private async tryAddress<T>(
    question: VendorQuestion,
    url: string,
    read: (text: string) => T,
    timeoutMs: number,
  ): Promise<T> {
    const { vendor } = question;
    const key = `${vendor} ${question.circuit ?? ''} ${URL.parse(url)?.origin}`;
    if (!this.breaker.admits(key, this.clock.timestamp()))
      throw new VendorUnavailableError(vendor, 'unreachable', { wasSent: false });
    try {
      const answer = await this.send(question, url, timeoutMs);
      const value = understood(vendor, () => read(answer.body.toString('utf8')));
      this.breaker.succeeded(key);
      this.figures.answered(vendor, quotaOf(answer));
      return value;
    } catch (error) {
      this.figures.failed(vendor);
      const isFault = error instanceof VendorUnavailableError && !isOfQuestion(error, question);
      if (isFault) this.breaker.failed(key, this.clock.timestamp());
      else this.breaker.refused(key);
      throw error;
    }
  }

  private async send(question: VendorQuestion, url: string, timeoutMs: number): Promise<OutboundResult> {
    const { vendor, method = 'GET', headers = {}, body, maxBytes = MAX_BYTES } = question;
    const request: OutboundRequest = { method, url, headers, timeoutMs, maxResponseBytes: maxBytes, body };
    const answer = await this.http.send(request).catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error;
      // The cause may contain the address, so it is dropped.
      throw new VendorUnavailableError(vendor, FAILURES[error.kind], { wasSent: !NEVER_SENT.has(error.kind) });
    });
    const failure = failureOf(answer);
    const refusal = failure === 'refused' && question.refusal?.(answer.status, answer.body.toString('utf8'));
    if (refusal) throw refusal;
    if (failure) throw new VendorUnavailableError(vendor, failure, { status: answer.status });
    return answer;
  }
}

/**
 * Whether the vendor is up and the question is to blame. Strangers choose some questions: one may be refused, another
 * have too long an answer. A question on behalf of one party is subject to that party's account and limits, which says
 * nothing about others.
 */
const isOfQuestion = ({ reason }: VendorUnavailableError, { key }: VendorQuestion): boolean =>
  reason === 'refused' ||
  reason === 'oversize' ||
  (key !== undefined && (reason === 'rate_limited' || reason === 'garbage'));

/** @throws VendorUnavailableError `garbage` if the answer has an unexpected form */
function understood<T>(vendor: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw isMisread(error) ? new VendorUnavailableError(vendor, 'garbage', { cause: error }) : error;
  }
}

function failureOf({ status, truncated }: OutboundResult): VendorFailure | null {
  if (status === 429) return 'rate_limited';
  if (status >= 400 && status < 500) return 'refused';
  if (status < 200 || status >= 300) return 'unreachable';
  return truncated ? 'oversize' : null;
}

function quotaOf({ headers }: OutboundResult): number | null {
  const text = headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining'];
  const left = Number(text);
  return text !== undefined && Number.isFinite(left) ? left : null;
}

function parsed(vendor: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new VendorUnavailableError(vendor, 'garbage');
  }
}
