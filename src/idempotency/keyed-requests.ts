import { Injectable } from '@nestjs/common';
import type { Step } from '../common/http/receive-requests.js';
import { UnitOfWork } from '../database/index.js';
import { IDEMPOTENCY_KEY } from './idempotency-key.header.js';

/** Where requests with a key come in: what they do can then become one transaction. Others pass by. */
@Injectable()
export class KeyedRequests {
  constructor(private readonly work: UnitOfWork) {}

  /** A step of the reception: what comes after it is one piece of work for requests with a key. */
  readonly handle: Step = (request, _response, next) => {
    if (request.headers[IDEMPOTENCY_KEY] === undefined) next();
    else this.work.deferred().enter(next);
  };
}
