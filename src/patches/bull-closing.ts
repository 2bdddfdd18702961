import type { Queue } from 'bull';
import type { Command, Redis } from 'ioredis';

/** Redis connections that have not closed by themselves after this long are disconnected. */
const CLOSE_MS = 2_500;

/** The version whose private parts are patched; a test compares it with the installed one. */
export const BULL = '4.16.5';

/**
 * Handles promises that nobody awaits: rejected when a connection closes early, they would end the process. Three are
 * Bull's: setting the connection's name, which waits five seconds behind a blocking command; while closing,
 * reconnecting to wait for active jobs; and processing as a whole, which Bull's module drops and which rejects, without
 * an error even, if the queue closes before its connections are ready. The name is unused, our jobs have ended before
 * the queue closes, and a failure to process jobs is emitted as the queue's `error`. The others are the connections'
 * own: renewing subscriptions and SELECT when Redis is back.
 */
export function keepPromises(queue: Queue): void {
  Object.assign(queue, { setWorkerName: () => Promise.resolve(), whenCurrentJobsFinished: () => Promise.resolve() });
  const takeJobs = queue.process.bind(queue) as (...how: unknown[]) => Promise<void>;
  queue.process = (...how: unknown[]) => {
    const taking = takeJobs(...how);
    taking.catch((error?: Error) => error && queue.emit('error', error));
    return taking;
  };
  const { clients } = queue;
  clients.forEach(lookAtPromises);
  // Bull connects lazily, and adds each connection to this list.
  clients.push = (...added) => {
    added.forEach(lookAtPromises);
    return Array.prototype.push.apply(clients, added);
  };
}

/** Callers that await a command still see it fail. */
function lookAtPromises(client: Redis): void {
  const send = client.sendCommand.bind(client);
  client.sendCommand = (command: Command, ...rest) => {
    command.promise.catch(() => undefined);
    return send(command, ...rest);
  };
}

/**
 * Closing waits for Redis to respond, which may never happen: a stop must take no longer while Redis is away. Bull's
 * module closes the queue as well, so the queue's own method must be bounded.
 *
 * @param failed receives errors of closing connections, which must not fail the shutdown
 */
export function closeInTime(queue: Queue, failed: (error: Error) => void): void {
  const close = queue.close.bind(queue);
  queue.close = async (...how) => {
    const late = setTimeout(() => {
      for (const client of queue.clients) client.disconnect();
    }, CLOSE_MS);
    await close(...how)
      .catch(failed)
      .finally(() => clearTimeout(late));
  };
}
