import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/** Pieces that are read at once overlap by more than any secret is long. */
const PIECE_BYTES = 4 * 1024 * 1024;
const OVERLAP_BYTES = 256;
/** Much of what a process may write to it never has: comparing that is far quicker than searching it for each secret. */
const NOTHING = Buffer.alloc(PIECE_BYTES + OVERLAP_BYTES);

/**
 * Which secrets stand in the memory of a process, wherever it keeps them: strings, buffers, memory that was given back and
 * not written since. A heap snapshot would leave out the contents of buffers. The process stands still meanwhile, so that
 * this is what it holds at one moment. Linux alone lets a parent look.
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

/** The memory that a process may write to and has written to, piece by piece in one buffer. */
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

/** Memory may be given back between the list and the look. */
function readPiece(memory: number, piece: Buffer, at: number): number {
  try {
    return readSync(memory, piece, 0, piece.length, at);
  } catch {
    return 0;
  }
}
