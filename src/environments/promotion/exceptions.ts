import type { PartState } from './part-plan.js';

/** What a promotion leaves alone. */
export interface Exceptions {
  paths: string[];
  /** Whether the whole part is. */
  covers(part: string): boolean;
  /** The state of a part but for what is left alone. */
  without(part: string, state: PartState): PartState;
  /** The first path that begins with no known part. */
  unknownAmong(parts: readonly string[]): string | null;
}

/**
 * Paths begin with the name of a part and go on with a key or the beginning of one, up to a slash: `webhooks`,
 * `settings/chains`, `origins/https://app.example.com`.
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
