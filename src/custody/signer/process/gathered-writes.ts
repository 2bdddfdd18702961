import type { Writable } from 'node:stream';

const gathering = new WeakSet<Writable>();

/**
 * Call before writing: everything written until the end of this turn of the event loop, including promises settled in
 * it, then leaves in one system call. On a busy machine that call costs more than the data it carries.
 */
export function gatherWrites(stream: Writable): void {
  if (gathering.has(stream)) return;
  gathering.add(stream);
  stream.cork();
  process.nextTick(() => {
    gathering.delete(stream);
    stream.uncork();
  });
}
