import { readFileSync } from 'node:fs';

const SAMPLE_MS = 200;

/** Resident memory of a process in MiB (`VmRSS`, proc(5)). */
export function residentMiB(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status has no VmRSS`);
  return Number(kibibytes) / 1024;
}

/** Watches a process from now on, for as long as it lives; the answer is the most it had at once. */
export function watchMemory(pid: number): () => number {
  let most = residentMiB(pid);
  const timer = setInterval(() => {
    try {
      most = Math.max(most, residentMiB(pid));
    } catch {
      clearInterval(timer);
    }
  }, SAMPLE_MS).unref();
  return () => {
    clearInterval(timer);
    return most;
  };
}
