import { HttpException } from '@nestjs/common';
import type { Response } from 'express';
import { sendText } from './projecting.adapter.js';

/** Marks the response to a repeated call as that of the first call. */
export const REPLAYED_HEADER = 'Idempotent-Replayed';

/**
 * Ends a repeated call with the stored response. A Nest exception, so that an extension's exception filter that uses its
 * status and response sends the same response.
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
