import { Injectable } from '@nestjs/common';
import type { EnvironmentPart } from './environment-part.js';

/** Contexts above register the environment parts they own here at start-up. */
@Injectable()
export class EnvironmentParts {
  private readonly parts = new Map<string, EnvironmentPart>();

  register(part: EnvironmentPart): void {
    if (this.parts.has(part.name)) throw new Error(`The part ${part.name} is registered twice.`);
    this.parts.set(part.name, part);
  }

  /** Sorted by name, so that plans do not depend on start-up order. */
  all(): EnvironmentPart[] {
    return [...this.parts.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
