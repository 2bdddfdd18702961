import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';

/** Whoever gives out names below a domain. */
export abstract class NameHandles {
  /** Null where no names are given out. @throws ApiError 422 for what can be no name */
  abstract isFree(environmentId: EnvironmentId, handle: string): Promise<boolean | null>;
}

/** Where a context above registers who gives out names. */
@Injectable()
export class HandleDirectory {
  private handles: NameHandles | null = null;

  register(handles: NameHandles): void {
    if (this.handles) throw new Error('Names are given out by somebody already.');
    this.handles = handles;
  }

  /** Null where no names are given out. */
  async isFree(environmentId: EnvironmentId, handle: string): Promise<boolean | null> {
    return this.handles?.isFree(environmentId, handle) ?? null;
  }
}
