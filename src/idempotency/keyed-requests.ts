import { Injectable } from '@nestjs/common';
import type { Step } from '../common/http/receive-requests.js';
import { UnitOfWork } from '../database/index.js';
import { IDEMPOTENCY_KEY } from './idempotency-key.header.js';

/** Where requests with a key come in: what they do can then become one transaction. Others pass by. */
@Injectable()
export class KeyedRequests {
  constructor(private readonly work: UnitOfWork) {}

  /** The same step, for requests with a key as one piece of work. */
  around(operations: Step): Step {
    return (request, response, next) => {
      if (request.headers[IDEMPOTENCY_KEY] === undefined) operations(request, response, next);
      else this.work.deferred().enter(() => operations(request, response, next));
    };
  }
}
