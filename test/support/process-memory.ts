import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/** Pieces of memory overlap by more than the length of any secret. */
const PIECE_BYTES = 4 * 1024 * 1024;
const OVERLAP_BYTES = 256;
/**
 * Much of a process's writable memory was never written: comparing it is far faster than searching it for each secret.
 */
const NOTHING = Buffer.alloc(PIECE_BYTES + OVERLAP_BYTES);

/**
 * Which secrets are in the memory of a process, wherever it keeps them: strings, buffers, freed memory that was not
 * overwritten. A heap snapshot would omit the contents of buffers. The process is stopped meanwhile, so that the result
 * is that of one moment. Works on Linux only.
 */
export function secretsInMemory(pid: number, secrets: ReadonlyMap<string, Buffer>): Set<string> {
  const found = new Set<string>();
  process.kill(pid, 'SIGSTOP');
  try {
    for (const piece of piecesOf(pid)) {
      for (const [name, secret] of secrets) if (!found.has(name) && piece.includes(secret)) found.add(name);
    }
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  return found;
}

/** The writable memory of a process that was written, piece by piece in one buffer. */
function* piecesOf(pid: number): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES + OVERLAP_BYTES);
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (const [, from, to] of readFileSync(`/proc/${pid}/maps`, 'utf8').matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)) {
      const end = Number.parseInt(to!, 16);
      for (let at = Number.parseInt(from!, 16); at < end; at += PIECE_BYTES) {
        const room = buffer.subarray(0, Math.min(buffer.length, end - at));
        const piece = room.subarray(0, readPiece(memory, room, at));
        if (!piece.equals(NOTHING.subarray(0, piece.length))) yield piece;
      }
    }
  } finally {
    closeSync(memory);
  }
}

/** Memory may be freed after it was listed. */
function readPiece(memory: number, piece: Buffer, at: number): number {
  try {
    return readSync(memory, piece, 0, piece.length, at);
  } catch {
    return 0;
  }
}
