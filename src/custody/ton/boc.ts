import { ByteReader, UnreadableRequest } from '../signing/byte-reader.js';
import { bigEndian, byteBits, Cell, MOST_DEPTH } from './cell.js';
import { crc32c } from './checksums.js';

/** "Bag of cells": the serialisation of a tree of cells. */
const MAGIC = Buffer.from('b5ee9c72', 'hex');
const CHECKSUM_BYTES = 4;
/** Flags in the byte after it: an index of the cells, a checksum, and flags that are not supported. */
const [INDEXED, CHECKED, UNKNOWN_FLAGS] = [0x80, 0x40, 0x38];
const SIZE = 0x07;
/** Larger number sizes would count more cells and bytes than any request has. */
const [MOST_NUMBER_BYTES, MOST_OFFSET_BYTES] = [2, 4];
/** Each is hashed. A full batch of wallet messages, each with a token transfer and a comment, takes half of this. */
const MOST_CELLS = 2_048;

interface WrittenCell {
  readonly bits: string;
  readonly references: readonly number[];
}

/**
 * The single root of a bag of ordinary cells, to its last byte. Every cell in it belongs to the root.
 *
 * @throws UnreadableRequest
 */
export function parseBoc(bytes: Buffer): Cell {
  const reader = new ByteReader(bytes);
  if (!reader.take(MAGIC.length).equals(MAGIC)) throw new UnreadableRequest('it is no bag of cells');
  const flags = reader.uint8();
  if (flags & UNKNOWN_FLAGS) throw new UnreadableRequest('its flags are unknown');
  const numberBytes = sizeOf(flags & SIZE, MOST_NUMBER_BYTES);
  const offsetBytes = sizeOf(reader.uint8(), MOST_OFFSET_BYTES);
  const number = (length = numberBytes): number => reader.take(length).readUIntBE(0, length);
  const [count, roots, absent] = [number(), number(), number()];
  const cellBytes = number(offsetBytes);
  if (count > MOST_CELLS) throw new UnreadableRequest(`it has more than ${MOST_CELLS} cells`);
  if (roots !== 1 || absent !== 0 || number() !== 0) throw new UnreadableRequest('its first cell is not its one root');
  if (flags & INDEXED) reader.take(count * offsetBytes);
  const begin = reader.position;
  const written = reader.list(count, () => readCell(reader, number));
  if (reader.position - begin !== cellBytes) throw new UnreadableRequest('its cells have another length');
  if (flags & CHECKED) {
    const checked = bytes.subarray(0, reader.position);
    if (!reader.take(CHECKSUM_BYTES).equals(crc32c(checked))) throw new UnreadableRequest('its checksum is wrong');
  }
  reader.end();
  return joined(written);
}

function sizeOf(bytes: number, most: number): number {
  if (bytes < 1 || bytes > most) throw new UnreadableRequest('its numbers have an unknown length');
  return bytes;
}

/** Exotic cells (pruned branches, libraries, proofs) are never signed by a wallet. */
function readCell(reader: ByteReader, number: () => number): WrittenCell {
  const [references, halves] = [reader.uint8(), reader.uint8()];
  if (references > 4) throw new UnreadableRequest('a cell is no ordinary one');
  let bits = byteBits(reader.take(Math.ceil(halves / 2)));
  if (halves % 2 === 1) {
    const end = bits.lastIndexOf('1');
    // The terminating one bit is written only if the bits do not fill whole bytes.
    if (bits.length - end > 7) throw new UnreadableRequest('a cell does not say where its bits end');
    bits = bits.slice(0, end);
  }
  return { bits, references: Array.from({ length: references }, number) };
}

/** Built from last to first: each cell refers only to later ones, so there are no cycles. */
function joined(written: readonly WrittenCell[]): Cell {
  const cells: Cell[] = [];
  const missing = new Set(written.keys());
  missing.delete(0);
  for (const [back, { bits, references }] of [...written].reverse().entries()) {
    const at = written.length - 1 - back;
    if (references.some((to) => to <= at || to >= written.length))
      throw new UnreadableRequest('a cell leads to none behind it');
    references.forEach((to) => missing.delete(to));
    cells[at] = new Cell(
      bits,
      references.map((to) => cells[to]!),
    );
  }
  const [root] = cells;
  if (!root || missing.size > 0) throw new UnreadableRequest('a cell belongs to nothing');
  if (root.depth > MOST_DEPTH) throw new UnreadableRequest('its cells are nested too deep');
  return root;
}

/** A cell and everything it refers to, each cell once, with a checksum. */
export function writeBoc(root: Cell): Buffer {
  const order = inOrder(root);
  const places = new Map(order.map(({ hash }, at) => [hash.toString('hex'), at]));
  const cells = Buffer.concat(
    order.flatMap((cell) => [
      cell.ownBytes(),
      ...cell.references.map(({ hash }) => bigEndian(places.get(hash.toString('hex'))!, MOST_NUMBER_BYTES)),
    ]),
  );
  const counts = [order.length, 1, 0].map((count) => bigEndian(count, MOST_NUMBER_BYTES));
  const head = [MAGIC, Buffer.of(CHECKED | MOST_NUMBER_BYTES, MOST_OFFSET_BYTES), ...counts];
  const body = [bigEndian(cells.length, MOST_OFFSET_BYTES), bigEndian(0, MOST_NUMBER_BYTES), cells];
  const written = Buffer.concat([...head, ...body]);
  return Buffer.concat([written, crc32c(written)]);
}

/** Each cell before those it refers to. */
function inOrder(root: Cell): Cell[] {
  const seen = new Set<string>();
  const found: Cell[] = [];
  const visit = (cell: Cell): void => {
    const name = cell.hash.toString('hex');
    if (seen.has(name)) return;
    seen.add(name);
    for (const next of cell.references) visit(next);
    found.push(cell);
  };
  visit(root);
  return found.reverse();
}
