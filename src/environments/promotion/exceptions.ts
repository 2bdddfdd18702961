import type { PartState } from './part-plan.js';

/** What a promotion skips. */
export interface Exceptions {
  paths: string[];
  /** Whether the whole part is skipped. */
  covers(part: string): boolean;
  /** The state of a part without the skipped keys. */
  without(part: string, state: PartState): PartState;
  /** The first path that does not start with a known part. */
  unknownAmong(parts: readonly string[]): string | null;
}

/**
 * A path is the name of a part, optionally followed by a slash and a key or the beginning of one, up to a slash:
 * `webhooks`, `settings/chains`, `origins/https://app.example.com`.
 */
export function exceptionsOf(given: readonly string[]): Exceptions {
  const paths = [...new Set(given)].sort();
  const isExcepted = (path: string): boolean =>
    paths.some((excepted) => path === excepted || path.startsWith(`${excepted}/`));
  return {
    paths,
    covers: isExcepted,
    without: (part, state) => new Map([...state].filter(([key]) => !isExcepted(`${part}/${key}`))),
    unknownAmong: (parts) =>
      paths.find((path) => !parts.some((part) => path === part || path.startsWith(`${part}/`))) ?? null,
  };
}
