import type { Duplex } from 'node:stream';
import { RowsUnavailable, withRows, type SealedRows } from '../rows/sealed-rows.js';
import { faultOf, SignerFault } from './signer-faults.js';
import { operate, type Signers } from './signer-operations.js';
import { writeFrame } from './frames.js';
import { encode, FrameReader } from './wire.js';

/** A request to the signer. The response carries the same `id`. */
export interface SignerRequest {
  readonly id: number;
  readonly operation: string;
  readonly args: readonly unknown[];
}

/** Liveness check. Needs no key. */
export const PING = 'ping';
/** Asks for the signer's capabilities. */
export const ABOUT = 'about';

export interface AboutSigner {
  /** Whether it reads sealed keys itself. */
  readonly readsRows: boolean;
  /** What prevents that, if anything. */
  readonly problem: string | null;
}

/**
 * Answers requests from a stream, several at once. Any other input closes the connection.
 *
 * @param complain is told of unexpected failures: where they occurred, and no content
 * @param rows reads sealed keys that the request leaves out; null if requests carry all of them
 */
export function serveSigner(
  stream: Duplex,
  signers: Signers,
  complain: (line: string) => void,
  rows: SealedRows | null = null,
): void {
  const reader = new FrameReader();
  const answer = async (request: SignerRequest): Promise<void> => {
    const { id, operation } = request;
    let said: Buffer;
    try {
      said = encode({ id, result: await resultOf(signers, rows, request) });
    } catch (error) {
      const fault = faultOf(error);
      if (fault.name === SignerFault.name) complain(`${operation}: ${fault.text} ${framesOf(error)}`);
      if (error instanceof RowsUnavailable) complain(`${operation}: ${error.message}`);
      said = encode({ id, fault });
    }
    if (stream.writable) writeFrame(stream, said);
  };
  stream.on('data', (chunk: Buffer) => {
    try {
      for (const frame of reader.read(chunk)) void answer(requestOf(frame));
    } catch {
      stream.destroy();
    }
  });
  stream.on('error', () => stream.destroy());
  // The handshake left it paused.
  stream.resume();
}

async function resultOf(
  signers: Signers,
  rows: SealedRows | null,
  { operation, args }: SignerRequest,
): Promise<unknown> {
  if (operation === PING) return null;
  if (operation === ABOUT) {
    return { readsRows: rows !== null, problem: (await rows?.findProblem()) ?? null } satisfies AboutSigner;
  }
  return operate(signers, operation, rows ? await withRows(rows, operation, args) : args);
}

function requestOf(frame: unknown): SignerRequest {
  const { id, operation, args } = (frame ?? {}) as Partial<SignerRequest>;
  if (!Number.isSafeInteger(id) || typeof operation !== 'string' || !Array.isArray(args)) {
    throw new TypeError('This is no request.');
  }
  return { id: id!, operation, args };
}

/** The stack without the message, which may quote the content. */
const framesOf = (error: unknown): string =>
  error instanceof Error
    ? (error.stack ?? '')
        .split('\n')
        .filter((line) => /^\s+at /.test(line))
        .join('\n')
    : '';
