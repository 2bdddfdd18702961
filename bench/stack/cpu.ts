import { readFileSync } from 'node:fs';

/** Clock ticks a second in proc(5): 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Milliseconds of processor time a process has used, in itself and for it in the kernel; 0 where there is no /proc. */
export function cpuMs(pid: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 0;
  }
  // The name of the program comes second and may hold anything; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}
