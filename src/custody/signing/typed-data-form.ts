import { UnreadableRequest } from './byte-reader.js';
import type { TypedData } from './signing-request.js';
import { ATOMIC, DYNAMIC } from './typed-data-values.js';

/** EIP-712, "Definition of typed structured data": names are identifiers, so they contain no separators. */
const NAME = /^[A-Za-z_]\w{0,127}$/;
/** `venue:action`, the form of type name that some trading venues require. */
const NAME_OF_VENUE = /^[A-Za-z_]\w{0,63}:[A-Za-z_]\w{0,63}$/;
const MEMBER_TYPE = /^(\w{1,128})(?:\[(?:[1-9]\d{0,5})?\]){0,32}$/;
const LIST = /^(.+)\[(\d*)\]$/;
/** Solidity type names, including those EIP-712 excludes: a struct cannot have one. */
const SOLIDITY_TYPE = /^(?:address|bool|string|function|bytes\d*|u?int\d*|u?fixed(?:\d+x\d+)?)$/;

const isStruct = (name: string): boolean => NAME.test(name) && !SOLIDITY_TYPE.test(name);

/** Whether typed data can have this primary type. */
export const isPrimaryType = (name: string): boolean => isStruct(name) || NAME_OF_VENUE.test(name);

/**
 * Checks types against EIP-712: every name an identifier, members unique within their type, and every type defined.
 * @throws UnreadableRequest
 */
export function assertTypes({ types, primaryType }: TypedData): void {
  for (const [name, members] of Object.entries(types)) {
    const isName = isStruct(name) || isOfVenue(name, { types, primaryType });
    if (!isName || !members.every((one) => NAME.test(one.name) && MEMBER_TYPE.test(one.type))) {
      throw new UnreadableRequest('a name in the types is too long or no name');
    }
    if (new Set(members.map((one) => one.name)).size < members.length) {
      throw new UnreadableRequest('a type has two members of one name');
    }
    const strange = members
      .map(({ type }) => itemType(type))
      .find((type) => !isSimple(type) && !Object.hasOwn(types, type));
    if (strange !== undefined) {
      throw new UnreadableRequest(`the data does not fit its types: there is no type ${strange}`);
    }
  }
}

/** The item type of a list, and its length if fixed; null if the type is not a list. */
export function listType(type: string): { readonly item: string; readonly length: number | null } | null {
  const [, item, length] = type.endsWith(']') ? (LIST.exec(type) ?? []) : [];
  if (item === undefined) return null;
  return { item, length: length ? Number(length) : null };
}

/** The item type of the innermost list. */
export const itemType = (type: string): string => MEMBER_TYPE.exec(type)?.[1] ?? type;

/** Libraries disagree on which structs such a type depends on, so it may have none. */
function isOfVenue(name: string, { types, primaryType }: Pick<TypedData, 'types' | 'primaryType'>): boolean {
  return name === primaryType && NAME_OF_VENUE.test(name) && types[name]!.every(({ type }) => isSimple(itemType(type)));
}

const isSimple = (type: string): boolean => ATOMIC.has(type) || DYNAMIC.has(type);
