import type { RawAnswer } from './raw-client.js';

const FIELDS = new Set(['error', 'code', 'requestId', 'hint', 'docUrl', 'payload']);

/** Implementation details that would help an attacker: stack frames, SQL, drivers, files. */
const REVEALING = [
  /\bat \S+ \(|\.\w+:\d+:\d+/,
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b.+\b(FROM|VALUES|SET|WHERE)\b/,
  /\bpg\b|\bpg_|postgres|typeorm|QueryFailed|syntax error at|relation "|column "|violates|SQLSTATE/i,
  /node_modules|node:internal|\/src\/|\.[jt]s\b|\/home\/|\/root\//,
  /Unexpected token|in JSON at position|Cannot (read|GET|POST|PUT|DELETE)|is not a function|of undefined/,
];

/** Every difference between a refusal and the documented error body, and everything it reveals that it should not. */
export function faultsOfRefusal({ status, headers, text, body }: RawAnswer): string[] {
  if (status < 400 || status >= 500) return [`status ${status} is no refusal`];
  if (body === null || typeof body !== 'object') return [`no JSON body: ${text.slice(0, 100)}`];
  const { error, code, requestId, ...rest } = body as Record<string, unknown>;
  const message = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error;
  return [
    ...(typeof message === 'string' && message !== '' ? [] : ['no error for people']),
    ...(typeof code === 'string' && /^[a-z][a-z_]+$/.test(code) ? [] : ['no code for programs']),
    ...(requestId === headers['x-request-id'] ? [] : ['the request id differs from the header']),
    ...Object.keys(rest).flatMap((name) =>
      FIELDS.has(name) || isOfStatus(status, name, rest) ? [] : [`unknown field ${name}`],
    ),
    ...REVEALING.flatMap((pattern) => (pattern.test(withoutLinks(text)) ? [`reveals ${pattern.exec(text)?.[0]}`] : [])),
  ];
}

/** A 409 repeats its message; the 400 and 401 of the API token check state that the token is not valid. */
const isOfStatus = (status: number, name: string, { verified }: Record<string, unknown>): boolean =>
  (name === 'message' && (status === 409 || verified === false)) ||
  (name === 'verified' && verified === false && (status === 400 || status === 401));

const withoutLinks = (text: string): string => text.replaceAll(/https?:\/\/[^\s"]+/g, '');
