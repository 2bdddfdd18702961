import type { Finding } from '../checkers/finding.js';
import type { Bounds } from '../checkers/check.js';
import type { StackWish } from '../world/stack-wish.js';
import type { World } from '../world/world.js';

/** How much of a fault a run takes: all of the table, or what shows that it still holds. */
export type Size = 'full' | 'smoke';

export interface FaultResult {
  /** What the fault did and what came of it, by name; durations end in their unit. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** Its own part of the pass criterion, beyond what is checked after every fault. */
  readonly findings: readonly Finding[];
  /** What the properties may allow because of it. */
  readonly bounds?: Partial<Bounds>;
}

/** One row of the fault table. */
export interface Fault {
  /** Such as `F1`. */
  readonly id: string;
  readonly title: string;
  /** The pass criterion, in words. */
  readonly criterion: string;
  readonly stack?: StackWish;
  /** Makes the fault happen under load and returns when it is over; what follows is the recovery. */
  run(world: World, size: Size): Promise<FaultResult>;
}
