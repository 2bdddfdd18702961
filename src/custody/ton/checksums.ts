/** CRC-32C (Castagnoli), used at the end of bags of cells, least significant byte first. */
export function crc32c(bytes: Uint8Array): Buffer {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0x82f63b78 : 0);
  }
  const written = Buffer.alloc(4);
  written.writeUInt32LE((rest ^ 0xffffffff) >>> 0);
  return written;
}
