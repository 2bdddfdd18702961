/** A setting that is no object with members, by its JSON pointer (RFC 6901). A list is one value. */
export type Leaves = Map<string, unknown>;

type Members = Record<string, unknown>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const hasMembers = (value: unknown): value is Members => isObject(value) && Object.keys(value).length > 0;
const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/** The settings as leaves; two documents are the same when their leaves are. */
export function leavesOf(document: object): Leaves {
  const leaves: Leaves = new Map();
  const visit = (value: unknown, pointer: string): void => {
    if (!hasMembers(value)) return void leaves.set(pointer, value);
    for (const [name, member] of Object.entries(value)) visit(member, `${pointer}/${escaped(name)}`);
  };
  for (const [name, member] of Object.entries(document)) visit(member, `/${escaped(name)}`);
  return leaves;
}

/**
 * A document with other leaves: first those without a value leave, with the objects that are empty without them, then
 * the others are set. What is not named stays, the leaves that a reader may not see among them.
 */
export function withLeaves<T extends object>(document: T, changes: ReadonlyMap<string, unknown>): T {
  const changed = structuredClone(document);
  for (const [pointer, value] of changes) if (value === undefined) remove(changed as Members, namesOf(pointer));
  for (const [pointer, value] of changes) if (value !== undefined) set(changed as Members, namesOf(pointer), value);
  return changed;
}

function remove(object: Members, [name = '', ...rest]: string[]): void {
  const member = ownMember(object, name);
  if (rest.length > 0 && isObject(member)) {
    remove(member, rest);
    if (hasMembers(member)) return;
  }
  if (rest.length === 0 || isObject(member)) delete object[name];
}

function set(object: Members, [name = '', ...rest]: string[], value: unknown): void {
  const member = ownMember(object, name);
  // All that a reader may see has left by now: what is still in it stays.
  if (rest.length === 0 && isEmpty(value) && isObject(member)) return;
  if (rest.length === 0) return define(object, name, value);
  const parent: Members = isObject(member) ? member : {};
  define(object, name, parent);
  set(parent, rest, value);
}

const ownMember = (object: Members, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);

/** `__proto__` is a name like any other in a document that was JSON. */
const define = (object: Members, name: string, value: unknown): void =>
  void Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
const namesOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
