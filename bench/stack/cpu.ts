import { readFileSync } from 'node:fs';

/** Clock ticks per second in proc(5): 100 on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** Processor time of a process in milliseconds, user and system; 0 without /proc. */
export function cpuMs(pid: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 0;
  }
  // The program name comes second and may contain anything; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}
