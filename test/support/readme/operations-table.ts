import { listOperations, type OpenApiDoc, type Operation } from '../contract/openapi-document.js';

interface Group {
  total: number;
  /** How many operations the service answers today. */
  today: number;
}

/** What the service answers today, by the tags of the contract: what is whole, what is begun, what is missing. */
export function operationsTable(contract: OpenApiDoc, notImplemented: readonly string[]): string {
  const missing = new Set(notImplemented);
  const groups = new Map<string, Group>();
  for (const { operationId, operation } of listOperations(contract)) {
    const tag = (operation as Operation & { tags?: readonly string[] }).tags?.[0] ?? 'Other';
    const { total, today } = groups.get(tag) ?? { total: 0, today: 0 };
    groups.set(tag, { total: total + 1, today: today + (missing.has(operationId) ? 0 : 1) });
  }
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  const sum = (of: (group: Group) => number): number => sorted.reduce((all, [, group]) => all + of(group), 0);
  const listed = (heading: string, belongs: (group: Group) => boolean, shown: (group: Group) => string): string => {
    const names = sorted.filter(([, group]) => belongs(group)).map(([tag, group]) => `${tag} (${shown(group)})`);
    return `- **${heading}**: ${names.join(', ') || 'none'}.`;
  };
  return [
    `${sum(({ today }) => today)} of the ${sum(({ total }) => total)} operations of the contract are implemented, by group:`,
    '',
    listed(
      'Whole',
      ({ today, total }) => today === total,
      ({ total }) => `${total}`,
    ),
    listed(
      'In part',
      ({ today, total }) => today > 0 && today < total,
      ({ today, total }) => `${today} of ${total}`,
    ),
    listed(
      'Not begun',
      ({ today }) => today === 0,
      ({ total }) => `${total}`,
    ),
  ].join('\n');
}
