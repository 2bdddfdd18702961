import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { listOperations, type OpenApiDoc, readDocument } from '../contract/openapi-document.js';
import { createResponseValidator } from '../contract/response-validator.js';

const DOCUMENT = new URL('../../../openapi.json', import.meta.url);
const API = '/api/v0/';
/** A fault of the service, which no test may see. */
const NEVER = '500';

/**
 * Writes each pair of an operation and a status that a server of this process answers into the file that
 * `GATEHOUSE_TEST_SEEN` names, where it names one, whoever has asked: a client of the tests, a browser or a program.
 */
export function noteAnswers(server: Server): void {
  const file = process.env['GATEHOUSE_TEST_SEEN'];
  if (!file) return;
  const validator = createResponseValidator(readDocument(DOCUMENT));
  const noted = new Set<string>();
  // Before the application, whose routers cut off the address what they have matched.
  server.prependListener('request', ({ method = '', url = '' }, response) => {
    if (!url.startsWith(API)) return;
    response.once('finish', () => {
      const operationId = validator.findOperation(method, url)?.operationId;
      const pair = `${operationId} ${response.statusCode}`;
      if (operationId === undefined || noted.has(pair)) return;
      noted.add(pair);
      appendFileSync(file, `${pair}\n`);
    });
  });
}

/** What was written into a file by runs of tests. */
export const seenIn = (file: string): ReadonlySet<string> =>
  new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);

/** Answers that a document declares and that no run gives, as `operation status`, by the reason. */
export type NamedAnswers = Readonly<Record<string, readonly string[]>>;

export const NEVER_ANSWERED = JSON.parse(
  readFileSync(new URL('../../contract/never-answered.json', import.meta.url), 'utf8'),
) as NamedAnswers;

const declaredIn = (document: OpenApiDoc): { operationId: string; status: string; pair: string }[] =>
  listOperations(document).flatMap(({ operationId, operation }) =>
    Object.keys(operation.responses ?? {}).map((status) => ({ operationId, status, pair: `${operationId} ${status}` })),
  );

/** The statuses that a document declares and nobody has seen, each with the operations that do; those named are left out. */
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

/** Of the answers that are named as given by no run, those that one has given or that no document declares. */
export function wronglyNamed(document: OpenApiDoc, seen: ReadonlySet<string>, named: NamedAnswers): string[] {
  const declared = new Set(declaredIn(document).map(({ pair }) => pair));
  return Object.values(named)
    .flat()
    .filter((pair) => seen.has(pair) || !declared.has(pair));
}
