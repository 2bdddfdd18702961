import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { signersOf } from '../../test/support/signers-of.js';

const SAMPLE_MS = 200;
/** The signer is started once its instance is ready. */
const SIGNER_LIMIT_MS = 30_000;

/** Resident memory of a process in MiB (`VmRSS`, proc(5)). */
export function residentMiB(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status has no VmRSS`);
  return Number(kibibytes) / 1024;
}

/** Samples a process's memory while it lives; the returned function gives the peak. */
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

/** The signer process of a service. @throws Error if it does not appear in time */
export async function signerOf(pid: number): Promise<number> {
  for (let waited = 0; waited < SIGNER_LIMIT_MS; waited += SAMPLE_MS) {
    const [signer] = signersOf(pid);
    if (signer !== undefined) return signer;
    await delay(SAMPLE_MS);
  }
  throw new Error(`The service ${pid} has started no signer.`);
}
