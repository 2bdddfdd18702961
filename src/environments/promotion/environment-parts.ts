import { Injectable } from '@nestjs/common';
import type { EnvironmentPart } from './environment-part.js';

/** Contexts above register the parts of an environment that they own here at start. */
@Injectable()
export class EnvironmentParts {
  private readonly parts = new Map<string, EnvironmentPart>();

  register(part: EnvironmentPart): void {
    if (this.parts.has(part.name)) throw new Error(`The part ${part.name} is registered twice.`);
    this.parts.set(part.name, part);
  }

  /** Sorted by name, so that the order of start-up never shows in a plan. */
  all(): EnvironmentPart[] {
    return [...this.parts.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
