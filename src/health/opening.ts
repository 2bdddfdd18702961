import { Injectable } from '@nestjs/common';

/**
 * What a start still does once the instance listens, such as writing down what a development instance is tried with.
 * Until it is done the instance answers, and is not ready. Each waits for its own alone.
 */
@Injectable()
export class Opening {
  private unfinished: string | null = null;

  /** The reason why the instance is not ready; null when it is open. */
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
