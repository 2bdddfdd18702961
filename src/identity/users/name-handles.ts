import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';

/** Assigns names below a domain. */
export abstract class NameHandles {
  /** Null if no names are assigned. @throws ApiError 422 for an invalid name */
  abstract isFree(environmentId: EnvironmentId, handle: string): Promise<boolean | null>;
}

/** The registry for the higher-level context that assigns names. */
@Injectable()
export class HandleDirectory {
  private handles: NameHandles | null = null;

  register(handles: NameHandles): void {
    if (this.handles) throw new Error('Names are given out by somebody already.');
    this.handles = handles;
  }

  /** Null if no names are assigned. */
  async isFree(environmentId: EnvironmentId, handle: string): Promise<boolean | null> {
    return this.handles?.isFree(environmentId, handle) ?? null;
  }
}
