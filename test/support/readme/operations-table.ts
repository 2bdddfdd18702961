import { listOperations, type OpenApiDoc, type Operation } from '../contract/openapi-document.js';
import { markdownTable } from './markdown-table.js';

interface Group {
  total: number;
  /** Operation ids that the service answers today. */
  today: string[];
}

/** What the service answers today, by the tags of the contract, and the tags it does not touch yet. */
export function operationsTable(contract: OpenApiDoc, notImplemented: readonly string[]): string {
  const missing = new Set(notImplemented);
  const groups = new Map<string, Group>();
  for (const { operationId, operation } of listOperations(contract)) {
    const tag = (operation as Operation & { tags?: readonly string[] }).tags?.[0] ?? 'Other';
    const group = groups.get(tag) ?? { total: 0, today: [] };
    group.total += 1;
    if (!missing.has(operationId)) group.today.push(operationId);
    groups.set(tag, group);
  }
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  const begun = sorted.filter(([, { today }]) => today.length > 0);
  const absent = sorted.filter(([, { today }]) => today.length === 0);
  const count = begun.reduce((sum, [, { today }]) => sum + today.length, 0);
  const total = sorted.reduce((sum, [, group]) => sum + group.total, 0);
  return [
    `${count} of the ${total} operations of the contract are implemented.`,
    '',
    ...markdownTable([
      ['Group', 'Today', 'Operations'],
      ...begun.map(([tag, { today, total: of }]) => [
        tag,
        `${today.length} of ${of}`,
        today.map((name) => `\`${name}\``).join(', '),
      ]),
    ]),
    '',
    `Nothing yet of: ${absent.map(([tag, group]) => `${tag} (${group.total})`).join(', ') || 'none'}.`,
  ].join('\n');
}
