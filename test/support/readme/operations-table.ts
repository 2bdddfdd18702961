import { listOperations, type OpenApiDoc, type Operation } from '../contract/openapi-document.js';

/** What the service answers, by the tags of the contract, all of which is implemented: `test/openapi.spec.ts` sees to it. */
export function operationsTable(contract: OpenApiDoc): string {
  const groups = new Map<string, number>();
  const operations = listOperations(contract);
  for (const { operation } of operations) {
    const tag = (operation as Operation & { tags?: readonly string[] }).tags?.[0] ?? 'Other';
    groups.set(tag, (groups.get(tag) ?? 0) + 1);
  }
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  const names = sorted.map(([tag, count]) => `${tag} (${count})`);
  return `All ${operations.length} operations of the contract are implemented, by group: ${names.join(', ')}.`;
}
