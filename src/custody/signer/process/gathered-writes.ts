import type { Writable } from 'node:stream';

const gathering = new WeakSet<Writable>();

/**
 * To be called before something is written: what is written until the end of this turn of the event loop, promises that
 * are settled in it included, then leaves by one call to the kernel. On a busy machine that call costs more than what is
 * said by it.
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
