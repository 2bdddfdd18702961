import { UnreadableRequest } from './byte-reader.js';
import type { TypedData } from './signing-request.js';
import { ATOMIC, DYNAMIC } from './typed-data-values.js';

/** EIP-712, "Definition of typed structured data": names are identifiers, so nothing in them separates names. */
const NAME = /^[A-Za-z_]\w{0,127}$/;
/** Of the venue, then of what is sent there, as some venues call what they take. */
const NAME_OF_VENUE = /^[A-Za-z_]\w{0,63}:[A-Za-z_]\w{0,63}$/;
const MEMBER_TYPE = /^(\w{1,128})(?:\[(?:[1-9]\d{0,5})?\]){0,32}$/;
const LIST = /^(.+)\[(\d*)\]$/;
/** Names of types of Solidity, with those that EIP-712 leaves out: no struct is called so. */
const SOLIDITY_TYPE = /^(?:address|bool|string|function|bytes\d*|u?int\d*|u?fixed(?:\d+x\d+)?)$/;

/**
 * Types as EIP-712 has them: every name an identifier, every member once in its type, and of a type that there is.
 * @throws UnreadableRequest
 */
export function assertTypes({ types, primaryType }: TypedData): void {
  for (const [name, members] of Object.entries(types)) {
    const isName = NAME.test(name) ? !SOLIDITY_TYPE.test(name) : isOfVenue(name, { types, primaryType });
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

/** The type of the items of a list, and how many there are where it says so; null for what is no list. */
export function listType(type: string): { readonly item: string; readonly length: number | null } | null {
  const [, item, length] = type.endsWith(']') ? (LIST.exec(type) ?? []) : [];
  if (item === undefined) return null;
  return { item, length: length ? Number(length) : null };
}

/** The type in the innermost list. */
export const itemType = (type: string): string => MEMBER_TYPE.exec(type)?.[1] ?? type;

/** Libraries differ in which structs such a type depends on, so it has none. */
function isOfVenue(name: string, { types, primaryType }: Pick<TypedData, 'types' | 'primaryType'>): boolean {
  return name === primaryType && NAME_OF_VENUE.test(name) && types[name]!.every(({ type }) => isSimple(itemType(type)));
}

const isSimple = (type: string): boolean => ATOMIC.has(type) || DYNAMIC.has(type);
