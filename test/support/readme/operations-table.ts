import { listOperations, type OpenApiDoc, type Operation } from '../contract/openapi-document.js';

/** The implemented operations by contract tag, which are all of them, as `test/openapi.spec.ts` ensures. */
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
