import type { Finding } from '../checkers/finding.js';
import type { Bounds } from '../checkers/check.js';
import type { StackWish } from '../world/stack-wish.js';
import type { World } from '../world/world.js';

/** How thoroughly a fault is run: completely, or just enough to show that it still passes. */
export type Size = 'full' | 'smoke';

export interface FaultResult {
  /** What the fault did and its effects, by name; names of durations end in their unit. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** Its own pass criteria, beyond the checks after every fault. */
  readonly findings: readonly Finding[];
  /** What it permits the properties to deviate by. */
  readonly bounds?: Partial<Bounds>;
}

/** A row of the fault table. */
export interface Fault {
  /** Such as `F1`. */
  readonly id: string;
  readonly title: string;
  /** The pass criterion, in words. */
  readonly criterion: string;
  readonly stack?: StackWish;
  /** Makes the fault happen under load and returns when it is over; recovery follows. */
  run(world: World, size: Size): Promise<FaultResult>;
}
