import { readdirSync, readFileSync } from 'node:fs';

/** Process ids of the signers that a process has started. */
export const signersOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        return Number(parent) === pid && /signer(?:\/main)?\.js/.test(command);
      } catch {
        return false;
      }
    })
    .map(Number);
