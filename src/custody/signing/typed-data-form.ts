import { UnreadableRequest } from './byte-reader.js';
import type { TypedData } from './signing-request.js';

/**
 * Of a type or a member. With a parenthesis or a comma in it, the text that is hashed for one type (EIP-712,
 * "Definition of encodeType") could be that of another.
 */
const NAME = /^[\w$:.-]{1,128}$/;
const MEMBER_TYPE = /^[\w$:.-]{1,128}(?:\[\d{0,6}\]){0,32}$/;
const INTEGER = /^u?int\d{0,3}$/;
const BYTES = /^bytes\d{0,2}$/;
/** The longest there is, of 256 bits, in decimal digits with a sign. */
const MOST_DIGITS = 79;

/**
 * Of all types together, once for each struct of the data: that is what a library reads to hash it. A hundred orders of
 * a marketplace, of ten items each, are a third of this, which takes a tenth of a second.
 */
const MOST_CHARACTERS_READ = 2_000_000;

type Types = TypedData['types'];

/**
 * Data that fits its types, in a form that takes no longer to hash than it takes to read: every member stands once in
 * its type and for itself in the data. A library follows two members of one name twice, into the same value.
 * @throws UnreadableRequest
 */
export function assertTypedDataForm({ types, primaryType, message }: TypedData): void {
  for (const [name, members] of Object.entries(types)) {
    const isPlain = NAME.test(name) && members.every((one) => NAME.test(one.name) && MEMBER_TYPE.test(one.type));
    if (!isPlain) throw new UnreadableRequest('a name in the types is too long or no name');
    if (new Set(members.map((one) => one.name)).size < members.length) {
      throw new UnreadableRequest('a type has two members of one name');
    }
  }
  const structs = structsOf(types, primaryType, message);
  if (structs * JSON.stringify(types).length > MOST_CHARACTERS_READ) {
    throw new UnreadableRequest('it has too many structs for types of that length');
  }
}

/** How many structs a value has, itself among them. */
function structsOf(types: Types, type: string, value: unknown): number {
  const inner = /^(.+)\[(\d*)\]$/.exec(type);
  if (inner) return itemsOf(types, inner[1]!, inner[2]!, value);
  if (!Object.hasOwn(types, type)) {
    if (!isOfType(type, value)) throw misfit();
    return 0;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw misfit();
  return types[type]!.reduce((structs, member) => {
    if (!Object.hasOwn(value, member.name)) throw misfit();
    return structs + structsOf(types, member.type, (value as Record<string, unknown>)[member.name]);
  }, 1);
}

function itemsOf(types: Types, type: string, length: string, value: unknown): number {
  if (!Array.isArray(value) || (length !== '' && value.length !== Number(length))) throw misfit();
  return value.reduce<number>((structs, item) => structs + structsOf(types, type, item), 0);
}

/** In JSON, with what is larger than its numbers as text. Whether it is in range is asked where it is encoded. */
function isOfType(type: string, value: unknown): boolean {
  if (type === 'bool') return typeof value === 'boolean';
  if (INTEGER.test(type)) {
    return Number.isInteger(value) || (typeof value === 'string' && value !== '' && value.length <= MOST_DIGITS);
  }
  return (type === 'string' || type === 'address' || BYTES.test(type)) && typeof value === 'string';
}

const misfit = (): UnreadableRequest => new UnreadableRequest('the data does not fit its types');
