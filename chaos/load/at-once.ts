import type { Reply } from './client.js';

/** Any number of concurrent calls, started in the same turn. */
export const atOnce = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** Counts of responses by status, such as `200×1 422×99`. */
export function tally(replies: readonly Reply[]): string {
  const groups = Map.groupBy(replies, ({ status, error }) => String(status ?? error));
  return [...groups]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([answer, found]) => `${answer}×${found.length}`)
    .join(' ');
}

export const isRefusal = ({ status }: Reply): boolean => status !== null && status >= 400 && status < 500;
export const isSuccess = ({ status }: Reply): boolean => status !== null && status >= 200 && status < 300;

/** Describes violations in a race that exactly one caller must win while all others are refused properly. */
export function unlessOneWins(what: string, replies: readonly Reply[]): string[] {
  const won = replies.filter(isSuccess).length;
  const others = replies.filter((reply) => !isSuccess(reply) && !isRefusal(reply)).length;
  return won === 1 && others === 0 ? [] : [`${what}: ${tally(replies)}`];
}

/** Describes rows that do not exist exactly once, by kind. */
export function unlessOneEach(what: string, counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts)
    .filter(([, count]) => count !== 1)
    .map(([name, count]) => `${what} left ${count} × ${name}`);
}
