import { keccak_256 } from '@noble/hashes/sha3.js';
import { UnreadableRequest } from './byte-reader.js';
import type { TypedData } from './signing-request.js';
import { itemType, listType } from './typed-data-form.js';
import { ATOMIC, DYNAMIC, isRounded } from './typed-data-values.js';

const PREFIX = Buffer.of(0x19, 0x01);
/**
 * What takes time: structs, lists, strings and bytes, each of which is hashed, and the other list items. Sixty
 * marketplace orders in one tree, as many as fit into a request, use a quarter of this.
 */
const MOST_PARTS = 2_000;
/** Total length of all encoded types, each with its dependencies. A marketplace's types take 2,000. */
const MOST_TYPE_CHARACTERS = 200_000;

type Types = TypedData['types'];

/**
 * EIP-712, "Specification of the eth_signTypedData JSON RPC", for checked types and a domain with its type. Only what
 * the types declare is read and hashed: as in other implementations, further members of the data are ignored.
 *
 * @throws UnreadableRequest if the data does not fit its types, or has too many parts
 */
export function typedDataDigest({ types, primaryType, domain, message }: TypedData, domainType: string): Buffer {
  const hasher = new StructHasher(types);
  return keccak(
    PREFIX,
    hasher.struct(domainType, domain, 'the domain'),
    hasher.struct(primaryType, message, 'the message'),
  );
}

class StructHasher {
  private readonly typeHashes = new Map<string, Buffer>();
  private parts = 0;
  private typeCharacters = 0;

  constructor(private readonly types: Types) {}

  /** "Definition of hashStruct". */
  struct(type: string, value: unknown, name: string): Buffer {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw misfit(`${name} is no ${type}`);
    this.count(1);
    const members = this.types[type]!.map((member) => {
      if (!Object.hasOwn(value, member.name)) throw misfit(`${member.name} is missing`);
      return this.encoded(member.type, (value as Record<string, unknown>)[member.name], member.name);
    });
    return keccak(this.typeHash(type), ...members);
  }

  /** "Definition of encodeData": the 32 bytes that represent a value. */
  private encoded(type: string, value: unknown, name: string): Buffer {
    const list = listType(type);
    if (list) return this.list(list, value, `${name} is no ${type}`);
    if (Object.hasOwn(this.types, type)) return this.struct(type, value, name);
    const dynamic = DYNAMIC.get(type);
    if (dynamic) this.count(1);
    const bytes = (dynamic ?? ATOMIC.get(type)!)(value);
    if (!bytes) {
      throw misfit(
        isRounded(value) ? `${name} is a number that JSON rounds, write it as text` : `${name} is no ${type}`,
      );
    }
    return dynamic ? keccak(bytes) : bytes;
  }

  private list({ item, length }: NonNullable<ReturnType<typeof listType>>, value: unknown, reason: string): Buffer {
    if (!Array.isArray(value) || (length !== null && value.length !== length)) throw misfit(reason);
    this.count(1 + (ATOMIC.has(item) ? value.length : 0));
    return keccak(...value.map((one: unknown, at) => this.encoded(item, one, `item ${at} of a list`)));
  }

  /** "Definition of hashStruct", "Definition of encodeType": the type, then its dependencies in name order. */
  private typeHash(type: string): Buffer {
    const known = this.typeHashes.get(type);
    if (known) return known;
    const [, ...others] = this.dependencies(type);
    const text = [type, ...others.sort()].map((name) => this.written(name)).join('');
    this.typeCharacters += text.length;
    if (this.typeCharacters > MOST_TYPE_CHARACTERS) throw new UnreadableRequest('its types are too long');
    const hash = keccak(Buffer.from(text));
    this.typeHashes.set(type, hash);
    return hash;
  }

  /** The type itself first. Iterating over a set includes elements added meanwhile. */
  private dependencies(type: string): Set<string> {
    const found = new Set([type]);
    for (const one of found) {
      for (const member of this.types[one]!) {
        const inner = itemType(member.type);
        if (Object.hasOwn(this.types, inner)) found.add(inner);
      }
    }
    return found;
  }

  private written(name: string): string {
    return `${name}(${this.types[name]!.map((member) => `${member.type} ${member.name}`).join(',')})`;
  }

  private count(parts: number): void {
    this.parts += parts;
    if (this.parts > MOST_PARTS) {
      throw new UnreadableRequest(`it has more than ${MOST_PARTS} structs, lists, texts and items`);
    }
  }
}

const keccak = (...parts: readonly Buffer[]): Buffer => Buffer.from(keccak_256(Buffer.concat(parts)));

const misfit = (what: string): UnreadableRequest => new UnreadableRequest(`the data does not fit its types: ${what}`);
