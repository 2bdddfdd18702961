import type { Mutation } from './body-mutations.js';

type Changed = Mutation & Required<Pick<Mutation, 'change'>>;

/** Mutations with a change, in groups whose places are apart from each other: as deep, and each once. */
export function apart<M extends Mutation>(mutations: readonly M[]): (M & Changed)[][] {
  const groups = new Map<string, (M & Changed)[]>();
  const known = new Map<string, number>();
  for (const mutation of mutations) {
    if (!mutation.change) continue;
    const { place } = mutation.change;
    const where = JSON.stringify(place);
    const turn = known.get(where) ?? 0;
    known.set(where, turn + 1);
    const group = `${place.length} ${turn}`;
    groups.set(group, [...(groups.get(group) ?? []), mutation as M & Changed]);
  }
  return [...groups.values()];
}

/**
 * Tries a group at once, and what is not taken so in halves, until each that is left was tried by itself. What a service takes
 * together, it takes.
 */
export async function triedTogether<T>(
  group: readonly T[],
  areTaken: (some: readonly T[]) => Promise<boolean>,
): Promise<T[]> {
  if (group.length < 2) return [...group];
  if (await areTaken(group)) return [];
  const middle = Math.ceil(group.length / 2);
  return [
    ...(await triedTogether(group.slice(0, middle), areTaken)),
    ...(await triedTogether(group.slice(middle), areTaken)),
  ];
}
