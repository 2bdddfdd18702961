import {
  listOperations,
  type LocatedOperation,
  type OpenApiDoc,
  type Operation,
} from '../contract/openapi-document.js';
import { roleMatrix, scopeMatrix } from './access-matrices.js';
import { byOperation, documentedRoles } from '../contract/roles.js';
import { markdownTable } from './markdown-table.js';

interface DocumentedOperation extends Operation {
  tags?: readonly string[];
  summary?: string;
  'x-least-role'?: string;
  'x-events'?: readonly string[];
  'x-limits'?: readonly string[];
}

type TaggedDocument = OpenApiDoc & { tags?: readonly { name: string; description?: string }[] };

/** `docs/operations.md`: every operation of the document with who may call it, what it emits and what limits it. */
export function operationsPage(document: TaggedDocument): string {
  const operations = listOperations(document);
  const tags = [...new Set(operations.map(tagOf))].sort();
  const about = new Map(document.tags?.map(({ name, description }) => [name, description ?? '']));
  return [
    '# Operations',
    '',
    `All ${operations.length} operations of \`openapi.json\`, from which this page is generated. \`/docs\` of a running service has the`,
    'same with schemas and examples.',
    ...tags.flatMap((tag) => [
      '',
      `## ${tag}`,
      ...(about.get(tag) ? ['', about.get(tag) ?? ''] : []),
      '',
      ...markdownTable([
        ['Operation', 'Call', 'What it does', 'Who may call it', 'Errors', 'Events', 'Limits'],
        ...operations.filter((operation) => tagOf(operation) === tag).map(rowOf),
      ]),
    ]),
    '',
    '## Roles of members',
    '',
    'Which member of an organization may call which operation of the dashboard. Users of',
    'applications and operations that anyone may call are not in it.',
    '',
    ...roleMatrix(byOperation(documentedRoles(document))),
    '',
    '## Scopes of API tokens',
    '',
    'Which scope of an API token of an environment opens which operation. An operation of the dashboard that is missing here',
    'refuses API tokens, except for those that take each of them, whatever its scopes: ' +
      takingAnyToken(document) +
      '.',
    '',
    ...scopeMatrix(document),
    '',
  ].join('\n');
}

const documented = ({ operation }: LocatedOperation): DocumentedOperation => operation;
const tagOf = (located: LocatedOperation): string => documented(located).tags?.[0] ?? 'Other';
const code = (text: string): string => `\`${text}\``;

function rowOf(located: LocatedOperation): string[] {
  const operation = documented(located);
  const errors = Object.keys(operation.responses ?? {}).filter((status) => status >= '400' && status !== '500');
  return [
    code(located.operationId) + (operation.deprecated ? ' (deprecated)' : ''),
    code(`${located.method.toUpperCase()} ${located.path}`),
    operation.summary ?? '',
    callersOf(operation),
    errors.join(', '),
    (operation['x-events'] ?? []).map(code).join(', '),
    (operation['x-limits'] ?? []).join('; '),
  ];
}

function callersOf(operation: DocumentedOperation): string {
  if (operation['x-audience'] === 'public') return 'anyone';
  if (operation['x-audience'] === 'end-user') return 'a signed-in user';
  const scope = operation['x-token-scope'];
  const role = operation['x-least-role'];
  return [
    ...(scope ? [`API token with ${code(scope)}`] : []),
    ...(operation['x-any-token'] ? ['any API token'] : []),
    ...(role ? [`member, ${role} at least`] : []),
  ].join('; ');
}

const takingAnyToken = (document: OpenApiDoc): string =>
  listOperations(document)
    .filter(({ operation }) => operation['x-any-token'])
    .map(({ operationId }) => code(operationId))
    .sort()
    .join(', ') || 'none';
