/** What `initdb` and the server say of a full disk, in whichever step they meet it. */
const DISK_FULL = /No space left on device|Check free disk space/;

/**
 * What stopped a program of PostgreSQL, as far as its output says. Its last line often tells only what it gave up or
 * removed because of that.
 */
export function causeIn(output: string): string {
  if (DISK_FULL.test(output)) return 'the disk is full, so make room there';
  const words = [...output.matchAll(/(?:FATAL|PANIC|DETAIL|initdb: error): +(.+)/g)].map(([, text]) => text);
  return words.join(' ') || (output.trim().split('\n').at(-1) ?? '');
}
