import { beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../../common/clock.js';
import { OutboundError, OutboundHttp, type OutboundRequest, type OutboundResult } from '../../outbound/index.js';
import { Config } from '../../config/index.js';
import { MASK } from '../masking.js';
import { RetrySchedules } from '../retry-schedules.js';
import { WebhookSecret } from '../webhook-secret.js';
import { WebhookSecrets, type OpenedKeys } from '../webhook-secrets.js';
import { verifyBodySignature, verifyWebhook } from '../webhook-signature.js';
import { Attempts } from './attempt.service.js';
import { claimedMessage } from './claimed-message.fixture.js';

const NOW = new Date('2026-01-31T12:00:00.500Z');
const secret = WebhookSecret.generate();
const schedules = new RetrySchedules(Config.load({ NODE_ENV: 'test' }));

class StoppedClock extends Clock {
  override now(): Date {
    return NOW;
  }
}

class OneSecret extends WebhookSecrets {
  override async openAll(): Promise<OpenedKeys> {
    return { secrets: [secret], signingKeys: [], headers: [{ name: 'x-api-key', value: 'of the tenant' }] };
  }
}

class ScriptedHttp extends OutboundHttp {
  readonly sent: OutboundRequest[] = [];
  answer: Partial<OutboundResult> | Error = { status: 200 };

  override async send(request: OutboundRequest): Promise<OutboundResult> {
    this.sent.push(request);
    if (this.answer instanceof Error) throw this.answer;
    return { status: 200, headers: {}, body: Buffer.alloc(0), truncated: false, durationMs: 1, ...this.answer };
  }
}

describe('an attempt', () => {
  let http: ScriptedHttp;
  let attempts: Attempts;

  beforeEach(() => {
    http = new ScriptedHttp(undefined as never, undefined as never);
    attempts = new Attempts(new OneSecret(undefined as never), http, schedules, new StoppedClock());
  });

  it('signs the bytes it sends, under both schemes', async () => {
    const message = claimedMessage();
    await attempts.make(message);
    const [{ headers = {}, body = '', method, url } = {} as OutboundRequest] = http.sent;
    expect({ method, url }).toEqual({ method: 'POST', url: message.url });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Gatehouse-Webhooks/1',
      'webhook-id': message.messageId,
    });
    expect(verifyWebhook(headers, body, secret, NOW)).toEqual({ verified: true });
    expect(verifyBodySignature(headers, body, secret)).toBe(true);
    expect(verifyBodySignature(headers, Buffer.concat([Buffer.from(body), Buffer.from(' ')]), secret)).toBe(false);
  });

  it('is signed and recorded at the time of the database, however wrong the clock of its worker is', async () => {
    const claimedAt = new Date(NOW.getTime() - 600_000);
    const { sentAt } = await attempts.make(claimedMessage({ claimedAt, claimedTick: performance.now() - 2_000 }));
    const [{ headers = {}, body = '' } = {}] = http.sent;
    expect(sentAt.getTime() - claimedAt.getTime()).toBeGreaterThanOrEqual(2_000);
    expect(verifyWebhook(headers, body, secret, sentAt)).toEqual({ verified: true });
    expect(verifyWebhook(headers, body, secret, NOW)).toMatchObject({ reason: 'bad_timestamp' });
  });

  it('is repeated when its receiver asks for it, by the clock of the database', async () => {
    const claimedAt = new Date(NOW.getTime() - 600_000);
    const asked = new Date(claimedAt.getTime() + 28_000).toUTCString();
    http.answer = { status: 503, headers: { 'retry-after': asked } };
    const { retryInMs } = await attempts.make(claimedMessage({ claimedAt, claimedTick: performance.now() }));
    expect(retryInMs).toBeGreaterThan(26_000);
  });

  it('sends the header fields of its webhook and stores their names alone, also where the receiver repeats them', async () => {
    http.answer = { status: 200, headers: { 'x-api-key': 'of the tenant' } };
    const { request, response } = await attempts.make(claimedMessage());
    expect(http.sent[0]?.headers).toMatchObject({ 'x-api-key': 'of the tenant', 'content-type': 'application/json' });
    expect([request.headers['x-api-key'], response.headers?.['x-api-key']]).toEqual([MASK, MASK]);
  });

  it('counts any 2xx as delivered and keeps what was said, without credentials', async () => {
    http.answer = { status: 204, headers: { 'set-cookie': 'a=b', server: 'x' }, body: Buffer.from('ok\0') };
    const result = await attempts.make(claimedMessage());
    expect(result).toMatchObject({ outcome: 'delivered', retryInMs: null, sentAt: NOW });
    expect(result.response).toEqual({
      status: 204,
      headers: { 'set-cookie': MASK, server: 'x' },
      body: 'ok',
      durationMs: expect.any(Number),
    });
    expect(result.request.body).toBe(http.sent[0]?.body);
  });

  it.each([301, 400, 500])('that is answered %i fails and is made again', async (status) => {
    http.answer = { status };
    const result = await attempts.make(claimedMessage());
    expect(result).toMatchObject({ outcome: 'failed', response: { status, error: 'status' } });
    expect(result.retryInMs).toBeGreaterThanOrEqual(12_000);
    expect(result.retryInMs).toBeLessThanOrEqual(18_000);
  });

  it('waits as long as the receiver asks, up to twice the usual time', async () => {
    http.answer = { status: 503, headers: { 'retry-after': '3600' } };
    expect((await attempts.make(claimedMessage())).retryInMs).toBe(30_000);
  });

  it('that is answered 410 is the last one', async () => {
    http.answer = { status: 410 };
    expect(await attempts.make(claimedMessage())).toMatchObject({ outcome: 'gone', retryInMs: null });
  });

  it.each([
    ['sandbox', 3],
    ['live', 8],
    ['console', 8],
  ] as const)('in a %s environment is made %i times', async (kind, times) => {
    http.answer = { status: 500 };
    expect((await attempts.make(claimedMessage({ kind, attempt: times - 1 }))).retryInMs).not.toBeNull();
    expect((await attempts.make(claimedMessage({ kind, attempt: times }))).retryInMs).toBeNull();
  });

  it.each([
    ['timeout', 'timeout', true],
    ['blocked', 'refused', false],
    ['dns', 'dns', false],
  ] as const)('without an answer (%s) tells the tenant no more than %s', async (kind, error, timedOut) => {
    http.answer = new OutboundError(kind, '10.0.0.7 may not be called');
    const result = await attempts.make(claimedMessage());
    expect(result).toMatchObject({ outcome: 'failed', timedOut });
    expect(result.response).toEqual({ error, durationMs: expect.any(Number) });
  });
});
