/**
 * Members of a POSIX tar archive (IEEE Std 1003.1, pax, "ustar Interchange Format"): a header of 512 bytes, the
 * content, and zeros up to the next multiple of 512. Only regular files with names of at most 100 bytes.
 */
export const TAR_BLOCK = 512;

const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  size: [124, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
} as const;
const MAGIC = 'ustar\u000000';

export interface TarHeader {
  readonly name: string;
  readonly size: number;
}

export function tarHeader({ name, size }: TarHeader): Buffer {
  if (Buffer.byteLength(name) > FIELDS.name[1]) throw new Error(`The name ${name} is too long for an archive.`);
  const block = Buffer.alloc(TAR_BLOCK);
  block.write(name, FIELDS.name[0]);
  writeOctal(block, 100, 8, 0o600);
  writeOctal(block, 108, 8, 0);
  writeOctal(block, 116, 8, 0);
  writeOctal(block, 124, 12, size);
  writeOctal(block, 136, 12, 0);
  block.write('0', FIELDS.type[0]);
  block.write(MAGIC, FIELDS.magic[0], 'latin1');
  block.write(`${checksumOf(block).toString(8).padStart(6, '0')}\0 `, FIELDS.checksum[0], 'latin1');
  return block;
}

/** Null for a block of zeros, which ends an archive. @throws Error unless it is the header of a regular file */
export function parseTarHeader(block: Buffer): TarHeader | null {
  if (block.every((byte) => byte === 0)) return null;
  const sum = parseInt(text(block, ...FIELDS.checksum), 8);
  const isFile = text(block, ...FIELDS.type) === '0' && block.toString('latin1', 257, 262) === 'ustar';
  const size = parseInt(text(block, ...FIELDS.size), 8);
  if (sum !== checksumOf(block) || !isFile || !Number.isSafeInteger(size)) throw new Error('no header of a member');
  return { name: text(block, ...FIELDS.name), size };
}

export const tarPadding = (size: number): Buffer => Buffer.alloc((TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK);

const writeOctal = (block: Buffer, at: number, length: number, value: number): number =>
  block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');

const text = (block: Buffer, at: number, length: number): string =>
  block
    .toString('utf8', at, at + length)
    .split('\0', 1)[0]!
    .trim();

/** The sum of all bytes, with the checksum field itself counted as spaces. */
const checksumOf = (block: Buffer): number =>
  block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
