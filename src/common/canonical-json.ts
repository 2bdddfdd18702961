/**
 * The canonical text of a JSON value (RFC 8785): members sorted by the UTF-16 units of their names, no whitespace, numbers
 * and strings as in ECMAScript. Other values are converted as by `JSON.stringify`: dates to strings, undefined array items
 * to `null`, and undefined members are dropped. For values of bounded depth, such as parsed bodies.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if ('toJSON' in value && typeof value.toJSON === 'function') return canonicalJson((value.toJSON as () => unknown)());
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
