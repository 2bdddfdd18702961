/**
 * Resolves the references in a part of a document, in the form that the explorer expects.
 *
 * All references point to the document's own components. The explorer's general resolver processes the whole document
 * for each opened operation, which takes seconds.
 *
 * @param base address of the document, for the `$$ref` of resolved references
 */
export function resolveSubtree(document, path, base) {
  return resolve(path.reduce(child, document));

  function resolve(value, followed = []) {
    if (Array.isArray(value)) return value.map((item) => resolve(item, followed));
    if (value === null || typeof value !== 'object') return value;
    // Circular references stay references, and are shown as such.
    if (typeof value.$ref === 'string') return followed.includes(value.$ref) ? value : follow(value, followed);
    const { allOf, ...own } = value;
    const parts = Object.fromEntries(Object.entries(own).map(([name, part]) => [name, resolve(part, followed)]));
    return Array.isArray(allOf) ? merge([...allOf.map((part) => resolve(part, followed)), parts]) : parts;
  }

  function follow({ $ref, ...beside }, followed) {
    const target = resolve(targetOf($ref), [...followed, $ref]);
    return { ...target, ...beside, $$ref: `${base}${$ref}` };
  }

  /** The target of a JSON pointer (RFC 6901); undefined for references to other documents. */
  function targetOf(reference) {
    const names = reference.replace(/^#\//, '').split('/');
    return names
      .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce(child, document);
  }
}

const child = (value, name) => value?.[name];

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** Merges the parts of a schema; on conflict the later one wins. */
function merge(parts) {
  const whole = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      // The merged schema is not one of the named ones.
      if (name === '$$ref') continue;
      const before = whole[name];
      if (Array.isArray(before) && Array.isArray(value)) whole[name] = [...new Set([...before, ...value])];
      else whole[name] = isObject(before) && isObject(value) ? merge([before, value]) : value;
    }
  }
  return whole;
}
