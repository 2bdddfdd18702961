import { ApiError } from '../../common/errors/index.js';

/** The cause of a `mail_unavailable` where it is certain that nothing of the message has left the service. */
export class NothingLeft extends Error {}

/** Whether a mail that failed is certain not to arrive. Of any other failure nobody knows. */
export const isSurelyUnsent = (error: unknown): boolean =>
  error instanceof ApiError && error.cause instanceof NothingLeft;

/** What Nodemailer says of a connection that had not come as far as a message. */
const BEFORE_A_MESSAGE = {
  codes: new Set(['EDNS', 'ETLS', 'EAUTH']),
  commands: new Set(['EHLO', 'HELO', 'STARTTLS']),
  timeouts: new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']),
  greeting: /^Invalid greeting\b/,
};

/**
 * Whether a server was away, or sent the service away before it was told of a message. A connection that broke has the code
 * and command of one that was never made (`ESOCKET`, `CONN`), so these say nothing.
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
