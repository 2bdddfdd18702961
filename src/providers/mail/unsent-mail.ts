import { ApiError } from '../../common/errors/index.js';

/** The cause of an error when the message has not left the service, or a vendor has refused it. */
export class NothingLeft extends Error {}

/** Whether a failed email or text message is certain not to arrive. Other failures are ambiguous. */
export const isSurelyUnsent = (error: unknown): boolean =>
  error instanceof ApiError && error.cause instanceof NothingLeft;

/** What Nodemailer reports for a connection that failed before any message was sent. */
const BEFORE_A_MESSAGE = {
  codes: new Set(['EDNS', 'ETLS', 'EAUTH']),
  commands: new Set(['EHLO', 'HELO', 'STARTTLS']),
  timeouts: new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']),
  greeting: /^Invalid greeting\b/,
};

/**
 * Whether the server was unreachable, or rejected the session before any message. A broken connection has the same code
 * and command as one that was never established (`ESOCKET`, `CONN`), so these are inconclusive.
 */
export function isBeforeMessage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, command, syscall, timeoutType } = error as Partial<Record<string, string>> & Error;
  return (
    syscall === 'connect' ||
    BEFORE_A_MESSAGE.codes.has(code ?? '') ||
    BEFORE_A_MESSAGE.commands.has(command ?? '') ||
    BEFORE_A_MESSAGE.timeouts.has(timeoutType ?? '') ||
    BEFORE_A_MESSAGE.greeting.test(error.message)
  );
}
