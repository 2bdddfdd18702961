import { HttpException } from '@nestjs/common';
import type { Response } from 'express';
import { sendText } from './projecting.adapter.js';

/** Tells a caller who repeats a call that this is the answer to the first one. */
export const REPLAYED_HEADER = 'Idempotent-Replayed';

/**
 * Ends a call that has been answered before, with that answer. An exception of Nest, so that a filter of an extension
 * that answers exceptions with their status and response gives the same answer.
 */
export class AnsweredBefore extends HttpException {
  constructor(
    status: number,
    private readonly body: string | undefined,
  ) {
    super(body === undefined ? '' : (JSON.parse(body) as object), status);
  }

  sendTo(response: Response): void {
    response.setHeader(REPLAYED_HEADER, 'true');
    sendText(response, this.getStatus(), this.body);
  }
}
