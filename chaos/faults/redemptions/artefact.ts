import type { World } from '../../world/world.js';
import type { People } from './people.js';

/** Somebody who presents the same thing a hundred times at once. */
export const AT_ONCE = 100;

/** Something that is good once. */
export interface Artefact {
  readonly name: string;
  /** Makes whatever all trials need; the answer makes one, presents it, and says what went wrong. */
  prepare(world: World, people: People): Promise<(trial: number) => Promise<string[]>>;
}

/** A row of counts. @param text has one column for each thing that is counted */
export async function countsOf(
  world: World,
  text: string,
  values: readonly unknown[],
): Promise<Record<string, number>> {
  const { rows } = await world.withDatabase((client) => client.query<Record<string, number>>(text, [...values]));
  return rows[0] ?? {};
}
