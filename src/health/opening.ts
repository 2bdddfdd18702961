import { Injectable } from '@nestjs/common';

/**
 * Start-up work that runs while the instance already listens, such as creating the demo data. Until it is done, this
 * instance serves requests but is not ready.
 */
@Injectable()
export class Opening {
  private unfinished: string | null = null;

  /** Why the instance is not ready; null if it is. */
  get reason(): string | null {
    return this.unfinished;
  }

  begin(reason: string): void {
    this.unfinished = reason;
  }

  finish(): void {
    this.unfinished = null;
  }
}
