import { readFileSync } from 'node:fs';

const SAMPLE_MS = 20;

/** Resident bytes of a process, as Linux counts them; 0 when it has ended. */
export function residentBytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Tracks how far processes grow from now on. */
export class MemoryWatch {
  private readonly most: Map<number, number>;
  private readonly timer: NodeJS.Timeout;
  private readonly first: ReadonlyMap<number, number>;

  constructor(pids: readonly number[]) {
    this.first = new Map(pids.map((pid) => [pid, residentBytes(pid)]));
    this.most = new Map(this.first);
    this.timer = setInterval(() => this.sample(), SAMPLE_MS);
  }

  /** @returns the largest growth of a process, in bytes */
  stop(): number {
    clearInterval(this.timer);
    this.sample();
    return Math.max(...[...this.most].map(([pid, most]) => most - (this.first.get(pid) ?? 0)));
  }

  private sample(): void {
    for (const [pid, most] of this.most) this.most.set(pid, Math.max(most, residentBytes(pid)));
  }
}
