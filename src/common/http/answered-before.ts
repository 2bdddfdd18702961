import type { Response } from 'express';
import { sendText } from './projecting.adapter.js';

/** Tells a caller who repeats a call that this is the answer to the first one. */
export const REPLAYED_HEADER = 'Idempotent-Replayed';

/** Ends a call that has been answered before, with that answer. */
export class AnsweredBefore extends Error {
  constructor(
    private readonly status: number,
    private readonly body: string | undefined,
  ) {
    super('The call has been answered before.');
    this.name = 'AnsweredBefore';
  }

  sendTo(response: Response): void {
    sendText(response, this.status, this.body, [REPLAYED_HEADER, 'true']);
  }
}
