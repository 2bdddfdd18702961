import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { ANY_OUTAGE } from '../../../src/common/http/error-body.js';
import { listOperations, type OpenApiDoc } from '../contract/openapi-document.js';
import { committedValidator } from '../contract/response-validator.js';

const API = '/api/v0/';
/** An internal error, which no test may see. */
const NEVER = '500';
/** A line of the file. */
const NOTE = /^\w+ [1-5]\d\d$/;

/**
 * Writes each pair of operation and status that a server of this process returns, to whatever client, into the file
 * named by `GATEHOUSE_TEST_SEEN`, if any.
 */
export function noteAnswers(server: Server): void {
  const file = process.env['GATEHOUSE_TEST_SEEN'];
  if (!file) return;
  const noted = new Set<string>();
  // Before the application, whose routers strip the matched part of the URL.
  server.prependListener('request', ({ method = '', url = '' }, response) => {
    if (!url.startsWith(API)) return;
    response.once('finish', () => {
      const operationId = committedValidator().findOperation(method, url)?.operationId;
      const pair = `${operationId} ${response.statusCode}`;
      if (operationId === undefined || noted.has(pair)) return;
      noted.add(pair);
      // All workers of a run append to it, one line at a time.
      appendFileSync(file, `${pair}\n`);
    });
  });
}

/** The pairs that test runs wrote to a file. Throws if none did, or if a line is malformed. */
export function seenIn(file: string): ReadonlySet<string> {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  if (lines.length === 0) throw new Error(`${file} names no answer: no run with GATEHOUSE_TEST_SEEN has written it.`);
  const odd = lines.find((line) => !NOTE.test(line));
  if (odd !== undefined) throw new Error(`${file} has a line that names no operation with its status: ${odd}`);
  return new Set(lines);
}

/** Documented responses that no run gives, as `operation status`, by reason. */
export type NamedAnswers = Readonly<Record<string, readonly string[]>>;

export const NEVER_ANSWERED = JSON.parse(
  readFileSync(new URL('../../contract/never-answered.json', import.meta.url), 'utf8'),
) as NamedAnswers;

/** Without the outages that every operation has, which tests show on a few. */
const declaredIn = (document: OpenApiDoc): { operationId: string; status: string; pair: string }[] =>
  listOperations(document).flatMap(({ operationId, operation }) =>
    Object.entries(operation.responses ?? {})
      .filter(([, response]) => response.description !== ANY_OUTAGE)
      .map(([status]) => ({ operationId, status, pair: `${operationId} ${status}` })),
  );

/** The documented statuses that were not seen, each with its operations, except the listed ones. */
export function unseenAnswers(
  document: OpenApiDoc,
  seen: ReadonlySet<string>,
  named: NamedAnswers = {},
): Map<string, string[]> {
  const expected = new Set(Object.values(named).flat());
  const unseen = declaredIn(document).filter(
    ({ status, pair }) => status !== NEVER && !seen.has(pair) && !expected.has(pair),
  );
  const byStatus = Map.groupBy(unseen, ({ status }) => status);
  return new Map(
    [...byStatus]
      .sort(([left], [right]) => left.localeCompare(right))
      .map(([status, pairs]) => [status, pairs.map(({ operationId }) => operationId).sort()]),
  );
}

/** Responses listed as never given that were seen, or that no document declares. */
export function wronglyNamed(document: OpenApiDoc, seen: ReadonlySet<string>, named: NamedAnswers): string[] {
  const declared = new Set(declaredIn(document).map(({ pair }) => pair));
  return Object.values(named)
    .flat()
    .filter((pair) => seen.has(pair) || !declared.has(pair));
}

/**
 * The report on a run, and whether every documented response was seen or is listed. One that is listed and was seen, as
 * an outage may cause by chance, is reported but not a failure.
 */
export function unseenReport(
  document: OpenApiDoc,
  seen: ReadonlySet<string>,
  named: NamedAnswers,
): { text: string; isComplete: boolean } {
  const unseen = unseenAnswers(document, seen, named);
  const wrong = wronglyNamed(document, seen, named);
  const lines = [...unseen].map(([status, names]) => `${status}: ${names.length}\n  ${names.join('\n  ')}\n`);
  const count = [...unseen.values()].flat().length;
  lines.push(`Answers of the document that no test has seen: ${count}.\n`);
  if (wrong.length > 0) {
    const place = 'test/contract/never-answered.json';
    lines.push(`Take from ${place} what is given or declared nowhere: ${wrong.join(', ')}.\n`);
  }
  return { text: lines.join(''), isComplete: count === 0 };
}
