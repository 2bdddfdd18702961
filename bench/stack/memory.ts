import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { signersOf } from '../../test/support/signers-of.js';

const SAMPLE_MS = 200;
/** It is started once its instance answers. */
const SIGNER_LIMIT_MS = 30_000;

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

/** The process that opens keys for a service. @throws Error when there is none by then */
export async function signerOf(pid: number): Promise<number> {
  for (let waited = 0; waited < SIGNER_LIMIT_MS; waited += SAMPLE_MS) {
    const [signer] = signersOf(pid);
    if (signer !== undefined) return signer;
    await delay(SAMPLE_MS);
  }
  throw new Error(`The service ${pid} has started no signer.`);
}
