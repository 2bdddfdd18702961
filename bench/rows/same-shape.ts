import type { LoadRequest } from '../load/load-job.js';

/** A server's response to one request. @throws Error with the beginning of the response on another status */
export async function ask(origin: string, request: LoadRequest, status: number): Promise<unknown> {
  const { method, path, headers, body } = request;
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: body.replaceAll('{unique}', `once-${process.hrtime.bigint()}`) }),
  });
  const text = await answer.text();
  if (answer.status !== status)
    throw new Error(`${method} ${path} at ${origin}: ${answer.status} ${text.slice(0, 500)}`);
  return text === '' ? null : JSON.parse(text);
}

/** The paths of all fields; elements of a list share the list's name. */
export function fieldsOf(value: unknown, prefix = ''): Set<string> {
  if (Array.isArray(value)) return new Set(value.flatMap((element) => [...fieldsOf(element, `${prefix}[]`)]));
  if (value === null || typeof value !== 'object') return new Set([prefix]);
  return new Set(
    Object.entries(value).flatMap(([name, inner]) => [`${prefix}.${name}`, ...fieldsOf(inner, `${prefix}.${name}`)]),
  );
}

/** The fields in only one of two responses, for people to read; empty if both have the same shape. */
export function differences(service: unknown, bare: unknown): string {
  const [left, right] = [fieldsOf(service), fieldsOf(bare)];
  const only = (a: Set<string>, b: Set<string>): string => [...a].filter((field) => !b.has(field)).join(' ');
  const parts = { service: only(left, right), bare: only(right, left) };
  return Object.entries(parts)
    .filter(([, fields]) => fields !== '')
    .map(([side, fields]) => `only ${side}: ${fields}`)
    .join('; ');
}
