import type { CustomFetch } from 'openid-client';
import { OutboundError, type OutboundHttp } from '../outbound/index.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const);
/** Responses without a body (Fetch standard, null body status). */
const WITHOUT_BODY = new Set([204, 205, 304]);

type Method = typeof METHODS extends Set<infer M> ? M : never;

/** The requests of `openid-client`, sent through the guarded client: 5 s in all, 256 KB at most, no redirects. */
export const guardedFetch =
  (http: OutboundHttp): CustomFetch =>
  async (url, { method, headers, body }) => {
    const { status, ...answer } = await http.send({
      method: methodOf(method),
      url,
      headers,
      body: bodyOf(body),
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
    });
    if (answer.truncated) throw new OutboundError('protocol', 'the answer is longer than the limit');
    const kept = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    );
    return new Response(WITHOUT_BODY.has(status) ? null : new Uint8Array(answer.body), { status, headers: kept });
  };

function methodOf(method: string): Method {
  if (!METHODS.has(method as Method)) throw new TypeError(`The method ${method} is not sent.`);
  return method as Method;
}

function bodyOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('Only forms and texts are sent.');
}
