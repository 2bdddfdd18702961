/**
 * A part of a document with its references followed, in the form in which the explorer keeps parts.
 *
 * References lead to the document's own components. The explorer's own resolver is one for whatever document there may
 * be, and reads the whole of this one anew for each operation that somebody opens: seconds, where this takes none.
 *
 * @param base address of the document: references that were followed are told as `$$ref`
 */
export function resolveSubtree(document, path, base) {
  return resolve(path.reduce(child, document));

  function resolve(value, followed = []) {
    if (Array.isArray(value)) return value.map((item) => resolve(item, followed));
    if (value === null || typeof value !== 'object') return value;
    // What leads back to itself stays a reference, and is shown as one.
    if (typeof value.$ref === 'string') return followed.includes(value.$ref) ? value : follow(value, followed);
    const { allOf, ...own } = value;
    const parts = Object.fromEntries(Object.entries(own).map(([name, part]) => [name, resolve(part, followed)]));
    return Array.isArray(allOf) ? merge([...allOf.map((part) => resolve(part, followed)), parts]) : parts;
  }

  function follow({ $ref, ...beside }, followed) {
    const target = resolve(targetOf($ref), [...followed, $ref]);
    return { ...target, ...beside, $$ref: `${base}${$ref}` };
  }

  /** RFC 6901; of a reference that leads elsewhere nothing is known here. */
  function targetOf(reference) {
    const names = reference.replace(/^#\//, '').split('/');
    return names
      .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce(child, document);
  }
}

const child = (value, name) => value?.[name];

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** What all parts of a schema say together; where two speak of one thing, the later does. */
function merge(parts) {
  const whole = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      // The whole is none of the schemas that were named.
      if (name === '$$ref') continue;
      const before = whole[name];
      if (Array.isArray(before) && Array.isArray(value)) whole[name] = [...new Set([...before, ...value])];
      else whole[name] = isObject(before) && isObject(value) ? merge([before, value]) : value;
    }
  }
  return whole;
}
