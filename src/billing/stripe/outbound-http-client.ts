import Stripe from 'stripe';
import type { VendorFigures } from '../../observability/index.js';
import { OutboundError, type OutboundHttp, type OutboundResult } from '../../outbound/index.js';

/** Longest response that is read; a customer with subscriptions takes a few KB. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** The name in metrics. */
const VENDOR = 'stripe';

class Answer extends Stripe.HttpClientResponse {
  constructor(private readonly result: OutboundResult) {
    super(result.status, result.headers);
  }

  override getRawResponse(): OutboundResult {
    return this.result;
  }

  /**
   * The Stripe client detects errors by the body alone; one from a proxy in between has none in its body. Answers that
   * are no object make the client throw where nobody can catch it, so they are errors as well.
   */
  override async toJSON(): Promise<unknown> {
    const { status, body } = this.result;
    const answer: unknown = this._parseResponseBody(body.toString('utf8'));
    const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
    if (isObject && (status < 300 || ('error' in answer && answer.error))) return answer;
    return { error: { type: 'api_error', message: 'No reason was given.' } };
  }
}

type Call = Parameters<Stripe.HttpClient['makeRequest']>;

/** Sends the Stripe client's requests through the service's outbound HTTP client. */
export class OutboundHttpClient extends Stripe.HttpClient {
  constructor(
    private readonly http: OutboundHttp,
    private readonly figures: VendorFigures,
  ) {
    super();
  }

  override getClientName(): string {
    return 'gatehouse';
  }

  override async makeRequest(...call: Call): Promise<Answer> {
    const [host, port, path, method, headers, body, protocol, timeoutMs] = call;
    try {
      const result = await this.http.send({
        method: method as 'GET' | 'POST' | 'DELETE',
        url: `${protocol}://${host}:${port}${path}`,
        headers: textHeaders(headers),
        ...(body && { body }),
        timeoutMs,
        maxResponseBytes: MAX_RESPONSE_BYTES,
      });
      // A refusal, of a card for instance, is an answer; being overloaded is none.
      if (result.status < 500 && result.status !== 429) this.figures.answered(VENDOR);
      else this.figures.failed(VENDOR);
      return new Answer(result);
    } catch (error) {
      this.figures.failed(VENDOR);
      if (error instanceof OutboundError && error.kind === 'timeout') throw Stripe.HttpClient.makeTimeoutError();
      throw error;
    }
  }
}

const textHeaders = (headers: Call[4]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
