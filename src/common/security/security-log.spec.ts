import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Clock } from '../clock.js';
import { tooManyRequests } from '../errors/index.js';
import type { ServiceRequest } from '../http/request.js';
import type { LogRecord } from '../log-record.js';
import { refusedRequest, securityEventOf } from './refused-request.js';
import { SecurityEvent } from './security-event.js';
import { SecurityLog } from './security-log.js';

const environmentId = '0199c0de-0000-7000-8000-000000000002';

class StandingClock extends Clock {
  at = 0;

  override timestamp(): number {
    return this.at;
  }
}

describe('the security log', () => {
  const clock = new StandingClock();
  let log: SecurityLog;
  let warned: jest.SpiedFunction<Logger['warn']>;
  let said: jest.SpiedFunction<Logger['log']>;

  beforeEach(() => {
    warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    said = jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    log = new SecurityLog(clock);
  });
  afterEach(() => void jest.restoreAllMocks());

  it('warns of refusals and says what succeeded', () => {
    log.record(SecurityEvent.CodeFailed, { environmentId });
    log.record(SecurityEvent.SecretRevealed);
    expect(warned).toHaveBeenCalledTimes(1);
    expect(warned.mock.calls[0]![0]).toMatchObject({ fields: { security: 'code.failed', environmentId } });
    expect(said.mock.calls[0]![0]).toMatchObject({ fields: { security: 'secret.revealed' } });
  });

  it('counts everything, writes a hundred lines of an event in a second, and says how many it left out', () => {
    for (let call = 0; call < 250; call++) log.record(SecurityEvent.RateLimited);
    log.record(SecurityEvent.CodeFailed);
    expect([log.count(SecurityEvent.RateLimited), warned.mock.calls.length]).toEqual([250, 101]);
    clock.at = 1_000;
    log.record(SecurityEvent.RateLimited);
    const [leftOut, line] = warned.mock.calls.slice(-2).map(([record]) => record as LogRecord);
    expect(leftOut).toMatchObject({ text: 'Lines were left out.', fields: { security: 'rate.limited', count: 150 } });
    expect(line?.fields.count).toBeUndefined();
    clock.at = 0;
    log.record(SecurityEvent.RateLimited);
    expect(warned).toHaveBeenCalledTimes(104);
  });

  it('says how many it left out even if the event does not happen again', () => {
    jest.useFakeTimers();
    try {
      for (let call = 0; call < 250; call++) log.record(SecurityEvent.RateLimited);
      jest.advanceTimersByTime(1_000);
      expect(warned.mock.lastCall?.[0]).toMatchObject({ fields: { security: 'rate.limited', count: 150 } });
      clock.at = 1_000;
      log.record(SecurityEvent.RateLimited);
      jest.advanceTimersByTime(10_000);
      expect(warned).toHaveBeenCalledTimes(102);
    } finally {
      jest.useRealTimers();
      clock.at = 0;
    }
  });

  it('says so before the process ends', () => {
    for (let call = 0; call < 250; call++) log.record(SecurityEvent.SignedIn);
    log.onApplicationShutdown();
    expect(said.mock.lastCall?.[0]).toMatchObject({ fields: { security: 'sign-in.succeeded', count: 150 } });
    log.onApplicationShutdown();
    expect(said).toHaveBeenCalledTimes(101);
  });
});

describe('a refused request', () => {
  it('is told by the error that refuses it, or not at all', () => {
    expect(securityEventOf(tooManyRequests())).toBe('rate.limited');
    expect(securityEventOf(new Error('other'))).toBeNull();
    expect(securityEventOf(Object.assign(new Error('other'), { security: 'no such event' }))).toBeNull();
    expect(securityEventOf(Object.assign(new Error('other'), { security: 'seal.refused' }))).toBe('seal.refused');
  });

  it('says ids alone of what the client sent', () => {
    const request = {
      requestId: 'r',
      method: 'GET',
      params: { environmentId: 'someone@example.com' },
      headers: { authorization: 'Bearer hunter2' },
      principal: { kind: 'environmentToken', tokenId: 't' },
    } as unknown as ServiceRequest;
    expect(refusedRequest(request, 'not_found')).toEqual({
      requestId: 'r',
      method: 'GET',
      code: 'not_found',
      principal: 'environmentToken',
      principalId: 't',
    });
    request.params = { environmentId };
    expect(refusedRequest(request, 'not_found')).toMatchObject({ environmentId });
  });
});
