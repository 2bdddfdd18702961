import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ServiceRequest } from '../common/http/request.js';
import { RequestLog } from './request-log.js';

describe('the log of requests', () => {
  let warned: jest.SpiedFunction<Logger['warn']>;
  const log = new RequestLog(false);
  const call = { requestId: 'r', method: 'POST', operationId: 'createUser' } as ServiceRequest;
  const incoming = { requestId: 'r', method: 'POST' } as ServiceRequest;

  beforeEach(() => {
    warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });
  afterEach(() => void jest.restoreAllMocks());

  it('has those that fail or take long, and those that clients no longer wait for', () => {
    log.answered(call, 200, 900);
    log.answered(call, 503, 1);
    log.answered(call, 200, 1_100);
    log.answered(call, 499, 5_000);
    const texts = warned.mock.calls.map(([record]) => String(record).replace(/ requestId.* status/, ' status'));
    expect(texts).toEqual([
      'failed status=503 durationMs=1',
      'slow status=200 durationMs=1100',
      'slow status=499 durationMs=5000',
    ]);
  });

  it('has none of clients that leave while they send it, as many as they like', () => {
    log.answered(incoming, 499, 30_000);
    expect(warned).not.toHaveBeenCalled();
  });
});
