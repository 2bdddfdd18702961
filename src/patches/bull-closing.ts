import type { Queue } from 'bull';
import type { Command, Redis } from 'ioredis';

/** Connections to Redis are broken off when they have not ended by themselves after this long. */
const CLOSE_MS = 2_500;

/** The version whose private parts these are; a test compares it with the one installed. */
export const BULL = '4.16.5';

/**
 * Promises that nobody looks at end the process as an unhandled rejection when the connection closes first. Three are
 * Bull's: that of the name of its connection, which waits five seconds behind a blocking command; while it closes, that
 * of connecting once more to wait for jobs under way; and that of taking jobs at all, which its module drops and which
 * fails with nothing, not even an error, when the queue closes before its connections stand. The name is of use to
 * nobody, our jobs have ended before the queue closes, and what keeps it from taking jobs is an `error` of the queue.
 * The others are those of its connections: what they subscribe to and select anew when Redis is back.
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
  // Bull connects when it first needs a connection, and lists it here.
  clients.push = (...added) => {
    added.forEach(lookAtPromises);
    return Array.prototype.push.apply(clients, added);
  };
}

/** Whoever waits for the answer of a command still sees it fail. */
function lookAtPromises(client: Redis): void {
  const send = client.sendCommand.bind(client);
  client.sendCommand = (command: Command, ...rest) => {
    command.promise.catch(() => undefined);
    return send(command, ...rest);
  };
}

/**
 * Closing waits for Redis to answer, which it may never do: a stop while it is away takes no longer than another. The
 * module of Bull closes the queue as well, so its own method is the one that has to be in time.
 *
 * @param failed is told what the connections said on their way out, which must not fail the shutdown
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
