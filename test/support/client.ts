import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'undici';
import type { OpenApiDoc } from './contract/openapi-document.js';
import { committedValidator, createResponseValidator, type ResponseValidator } from './contract/response-validator.js';

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

interface CallOptions {
  token?: string | null;
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  raw?: string;
  headers?: Record<string, string>;
  /** The expected status. */
  expect?: number;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';

/** Costs a quarter of `fetch`: no web streams, no browser rules. */
const dispatcher = new Agent();
/** The service records a session's client, so these are the headers that `fetch` sends. */
const OWN_HEADERS = { accept: '*/*', 'accept-language': '*', 'user-agent': 'node' };

const others = new Map<string, ResponseValidator>();

/** Responses from this address are checked against another document than the committed one. */
export const holdAgainst = (document: OpenApiDoc, url: string): void =>
  void others.set(url, createResponseValidator(document));

/** Every API response in every test is checked against the document. */
function assertDocumented(url: string, method: string, path: string, answer: Answer<unknown>): void {
  const validator = others.get(url) ?? committedValidator();
  const problems = validator.validate({
    method,
    path,
    status: answer.status,
    contentType: answer.headers.get('content-type'),
    body: answer.body,
  });
  if (answer.status >= 500 && answer.status !== 503) problems.push(`status ${answer.status}`);
  const mayComeAgain = answer.status === 429 || answer.status === 503;
  if (mayComeAgain && !(Number(answer.headers.get('retry-after')) >= 1)) problems.push('no Retry-After');
  if (problems.length > 0) {
    throw new Error(`${method} ${path} → ${answer.status}\n${problems.join('\n')}\n${JSON.stringify(answer.body)}`);
  }
}

const wantsProof = ({ status, body }: Answer<unknown>): boolean =>
  status === 403 && (body as { code?: unknown } | undefined)?.code === 'fresh_proof_required';

const inLowerCase = (headers: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function headersOf(received: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
}

/** Calls the service as an application would, and rejects undocumented responses. */
export class TestClient {
  constructor(
    private readonly url: string,
    private readonly token: string | null = null,
    /** A session with a fresh proof, for operations that refuse a personal token without one. */
    private readonly provenSession?: () => Promise<string>,
  ) {}

  withToken(token: string | null): TestClient {
    return new TestClient(this.url, token);
  }

  get<T = never>(path: string, options?: CallOptions): Promise<Answer<T>> {
    return this.call('GET', path, options);
  }

  post<T = never>(path: string, body?: unknown, options?: CallOptions): Promise<Answer<T>> {
    return this.call('POST', path, { body, ...options });
  }

  put<T = never>(path: string, body?: unknown, options?: CallOptions): Promise<Answer<T>> {
    return this.call('PUT', path, { body, ...options });
  }

  delete<T = never>(path: string, options?: CallOptions): Promise<Answer<T>> {
    return this.call('DELETE', path, options);
  }

  async call<T>(method: Method, path: string, options: CallOptions = {}): Promise<Answer<T>> {
    const { expect } = options;
    let answer = await this.send<T>(method, path, options);
    if (this.provenSession && options.token === undefined && wantsProof(answer))
      answer = await this.send<T>(method, path, { ...options, token: await this.provenSession() });
    if (expect !== undefined && answer.status !== expect) {
      throw new Error(`${method} ${path}: expected ${expect}, got ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer;
  }

  private async send<T>(method: Method, path: string, options: CallOptions): Promise<Answer<T>> {
    const { token = this.token, body, raw, headers } = options;
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await request(`${this.url}/api/v0${path}`, {
      dispatcher,
      method,
      headers: {
        ...OWN_HEADERS,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...inLowerCase(headers),
      },
      body: payload,
    });
    const text = await response.body.text();
    const received = headersOf(response.headers);
    const isJson = received.get('content-type')?.includes('json') === true;
    const answer = {
      status: response.statusCode,
      headers: received,
      body: (text === '' ? undefined : isJson ? JSON.parse(text) : text) as T,
    };
    assertDocumented(this.url, method, path, answer);
    return answer;
  }
}
