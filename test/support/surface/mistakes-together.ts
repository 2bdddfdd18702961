import type { Mutation } from './body-mutations.js';

/** A refusal describes fifty problems at most, and one value may break several rules. */
const MOST_AT_ONCE = 12;
/** Together, longer values would exceed the size of a body. */
const MOST_CHARACTERS = 1_000;

/** Such a text is refused before any field is looked at. */
const isNoText = (value: unknown): boolean =>
  typeof value === 'string' && (value.includes('\0') || !value.isWellFormed());

/**
 * Mistakes in single values of a body, in as few requests as possible: the first of every field, the second of every
 * field and so on. Whatever has to be sent alone is left over.
 */
export function mistakesTogether<T extends Mutation>(mistakes: readonly T[]): { together: T[][]; alone: T[] } {
  const isJoined = ({ change }: T): boolean =>
    change !== undefined && !isNoText(change.value) && JSON.stringify(change.value).length <= MOST_CHARACTERS;
  const byPlace = Map.groupBy(mistakes.filter(isJoined), ({ change }) => change!.place.join('.'));
  const lists = [...byPlace.values()];
  const rounds = Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, round) =>
    lists.flatMap((list) => list.slice(round, round + 1)),
  );
  const groups = rounds.flatMap((round) => inPieces(round));
  return {
    together: groups.filter(({ length }) => length > 1),
    alone: [...mistakes.filter((one) => !isJoined(one)), ...groups.filter(({ length }) => length === 1).flat()],
  };
}

function inPieces<T>(round: readonly T[]): T[][] {
  const pieces = Math.ceil(round.length / MOST_AT_ONCE);
  return Array.from({ length: pieces }, (_, at) => round.slice(at * MOST_AT_ONCE, (at + 1) * MOST_AT_ONCE));
}
