import type { World } from '../../world/world.js';
import type { People } from './people.js';

/** Concurrent presentations of the same artefact. */
export const AT_ONCE = 100;

/** Something that is single-use. */
export interface Artefact {
  readonly name: string;
  /** Prepares what all trials share; the returned function runs one trial and says what went wrong. */
  prepare(world: World, people: People): Promise<(trial: number) => Promise<string[]>>;
}

/** A row of counts. @param text selects one column per counted thing */
export async function countsOf(
  world: World,
  text: string,
  values: readonly unknown[],
): Promise<Record<string, number>> {
  const { rows } = await world.withDatabase((client) => client.query<Record<string, number>>(text, [...values]));
  return rows[0] ?? {};
}
