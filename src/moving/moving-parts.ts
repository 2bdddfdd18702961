import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../database/index.js';
import type { MovedTable, MovingPart, StayingTable } from './moving-part.js';

/** Contexts register here at start which parts of their tables move with an environment. */
@Injectable()
export class MovingParts {
  private readonly parts: MovingPart[] = [];

  register(part: MovingPart): void {
    this.parts.push(part);
  }

  get moving(): MovedTable[] {
    return this.parts.flatMap(({ moving }) => moving);
  }

  get staying(): StayingTable[] {
    return this.parts.flatMap(({ staying }) => staying);
  }

  async exporting(environmentId: EnvironmentId, tx: Transaction): Promise<void> {
    for (const part of this.parts) await part.exporting?.(environmentId, tx);
  }
}
