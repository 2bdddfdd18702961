import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { WebhookSecret } from './webhook-secret.js';
import type { WebhookSignatureHeaders } from './webhook-signature.js';
import { signWebhook, verifyBodySignature, verifyWebhook } from './webhook-signature.js';

const now = new Date();
const seconds = Math.floor(now.getTime() / 1000);
const secret = WebhookSecret.generate();
const other = WebhookSecret.generate();
const messageId = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W';
const body = '{"eventName":"user.created","data":{"name":"Zoë 🔑"}}';
const signed = signWebhook({ messageId, timestamp: seconds, body, secrets: [secret] });

function acceptedByPackage(headers: Record<string, string>, payload: string, by: WebhookSecret): boolean {
  try {
    new Webhook(by.reveal()).verify(payload, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

describe('the signature of a webhook request', () => {
  it('equals the published vector', () => {
    const headers = signWebhook({
      messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
      secrets: [WebhookSecret.parse('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
    });
    expect(headers).toMatchObject({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is accepted by the published library for every body, id and secret size', () => {
    const secrets = fc
      .uint8Array({ minLength: 24, maxLength: 64 })
      .map((bytes) => WebhookSecret.parse(`whsec_${Buffer.from(bytes).toString('base64')}`));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.uuid(), secrets, (text, id, key) => {
        const headers = signWebhook({ messageId: id, timestamp: seconds, body: text, secrets: [key] });
        expect(acceptedByPackage({ ...headers }, text, key)).toBe(true);
        expect(verifyWebhook({ ...headers }, Buffer.from(text), key, now)).toEqual({ verified: true });
        expect(verifyBodySignature({ ...headers }, text, key)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('made by the published library is accepted here', () => {
    const signature = new Webhook(secret.reveal()).sign(messageId, new Date(seconds * 1000), body);
    const headers = { 'webhook-id': messageId, 'webhook-timestamp': String(seconds), 'webhook-signature': signature };
    expect(verifyWebhook(headers, body, secret, now)).toEqual({ verified: true });
  });

  it('of the older scheme is HMAC-SHA256 of the raw body under the text of the secret', () => {
    const expected = createHmac('sha256', Buffer.from(secret.reveal(), 'utf8')).update(body).digest('hex');
    expect(signed['x-webhook-signature-256']).toBe(`sha256=${expected}`);
  });

  it('of the older scheme keeps the secret that receivers have, until the overlap of a rotation ends', () => {
    const newer = WebhookSecret.generate();
    const overlapping = { ...signWebhook({ messageId, timestamp: seconds, body, secrets: [newer, secret] }) };
    expect(verifyBodySignature(overlapping, body, secret)).toBe(true);
    expect(verifyBodySignature(overlapping, body, newer)).toBe(false);
    const afterwards = { ...signWebhook({ messageId, timestamp: seconds, body, secrets: [newer] }) };
    expect(verifyBodySignature(afterwards, body, newer)).toBe(true);
  });

  it('is the same for a string and for its UTF-8 bytes, and covers bytes that are not UTF-8', () => {
    expect(signWebhook({ messageId, timestamp: seconds, body: Buffer.from(body), secrets: [secret] })).toEqual(signed);
    const binary = Buffer.from([0xff, 0x00, 0xfe]);
    const headers = signWebhook({ messageId, timestamp: seconds, body: binary, secrets: [secret] });
    expect(verifyWebhook({ ...headers }, binary, secret, now).verified).toBe(true);
    expect(verifyWebhook({ ...headers }, Buffer.from([0xfe, 0x00, 0xff]), secret, now).verified).toBe(false);
  });

  it('lists every secret of a rotation, and holders of either accept it', () => {
    const headers = signWebhook({ messageId, timestamp: seconds, body, secrets: [secret, other] });
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
    for (const holder of [secret, other]) {
      expect(acceptedByPackage({ ...headers }, body, holder)).toBe(true);
      expect(verifyWebhook({ ...headers }, body, holder, now).verified).toBe(true);
    }
    expect(verifyBodySignature({ ...headers }, body, other)).toBe(true);
    expect(verifyBodySignature({ ...headers }, body, secret)).toBe(false);
    expect(verifyWebhook({ ...headers }, body, WebhookSecret.generate(), now).verified).toBe(false);
  });

  it('of a second attempt differs by its timestamp and keeps the message id', () => {
    const later = signWebhook({ messageId, timestamp: seconds + 15, body, secrets: [secret] });
    expect(later['webhook-id']).toBe(signed['webhook-id']);
    expect(later['webhook-signature']).not.toBe(signed['webhook-signature']);
  });

  it.each([
    ['no secret', { secrets: [] }],
    ['an id with a dot', { messageId: 'a.1' }],
    ['an empty id', { messageId: '' }],
    ['an id with a line break', { messageId: 'a\r\nb' }],
    ['a fraction of a second', { timestamp: 1.5 }],
    ['milliseconds that overflow', { timestamp: Number.MAX_VALUE }],
    ['a time before 1970', { timestamp: -1 }],
  ])('is not made with %s', (_case, wrong) => {
    expect(() => signWebhook({ messageId, timestamp: seconds, body, secrets: [secret], ...wrong })).toThrow(RangeError);
  });
});

type Request = { headers: Record<string, string>; body: string };
const request: Request = { headers: { ...signed }, body };
const resigned = (timestamp: number, by = secret): Request => ({
  body,
  headers: { ...signWebhook({ messageId, timestamp, body, secrets: [by] }) },
});
const withHeader = (name: keyof WebhookSignatureHeaders, value: string): Request => ({
  body,
  headers: { ...signed, [name]: value },
});
const without = (name: keyof WebhookSignatureHeaders): Request => ({
  body,
  headers: Object.fromEntries(Object.entries(signed).filter(([key]) => key !== name)),
});
const v1 = signed['webhook-signature'].slice('v1,'.length);
const legacyKeyed = createHmac('sha256', secret.reveal()).update(`${messageId}.${seconds}.${body}`).digest('base64');

const MUTATIONS: readonly (readonly [string, Request])[] = [
  ['a changed character in the body', { ...request, body: body.replace('user', 'User') }],
  ['a line break after the body', { ...request, body: `${body}\n` }],
  ['an empty body', { ...request, body: '' }],
  ['a body serialised anew', { ...request, body: JSON.stringify(JSON.parse(body), null, 2) }],
  ['another id', withHeader('webhook-id', `${messageId}x`)],
  ['an id that takes over the timestamp', withHeader('webhook-id', `${messageId}.${seconds}`)],
  ['an empty id', withHeader('webhook-id', '')],
  ['no id', without('webhook-id')],
  ['a later timestamp', withHeader('webhook-timestamp', String(seconds + 1))],
  ['an earlier timestamp', withHeader('webhook-timestamp', String(seconds - 1))],
  ['a timestamp that is a word', withHeader('webhook-timestamp', 'now')],
  ['no timestamp', without('webhook-timestamp')],
  ['a true signature that is too old', resigned(seconds - 310)],
  ['a true signature from the future', resigned(seconds + 900)],
  ['no signature', without('webhook-signature')],
  ['an empty signature', withHeader('webhook-signature', 'v1,')],
  ['a signature without its version', withHeader('webhook-signature', v1)],
  ['a signature of version 2', withHeader('webhook-signature', `v2,${v1}`)],
  ['a signature that claims to be asymmetric', withHeader('webhook-signature', `v1a,${v1}`)],
  ['one changed character in the signature', withHeader('webhook-signature', `v1,${flipped(v1)}`)],
  ['a signature cut short', withHeader('webhook-signature', `v1,${v1.slice(0, 40)}`)],
  ['a signature in hex', withHeader('webhook-signature', `v1,${Buffer.from(v1, 'base64').toString('hex')}`)],
  ['signatures separated by commas', withHeader('webhook-signature', `v2,AAAA,v1,${v1}`)],
  ['a signature under another secret', resigned(seconds, other)],
  ['a signature keyed with the text of the secret', withHeader('webhook-signature', `v1,${legacyKeyed}`)],
];

function flipped(text: string): string {
  return (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
}

describe('verification of a webhook request', () => {
  it('accepts what was sent, with header names in any case', () => {
    expect(verifyWebhook(request.headers, body, secret, now)).toEqual({ verified: true });
    const shouted = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toUpperCase(), value]));
    expect(verifyWebhook(shouted, body, secret, now)).toEqual({ verified: true });
    expect(acceptedByPackage(request.headers, body, secret)).toBe(true);
  });

  it('is tried with at least 20 mutations', () => expect(MUTATIONS.length).toBeGreaterThanOrEqual(20));

  it.each(MUTATIONS)('refuses %s, and so does the published library', (_case, mutated) => {
    expect(verifyWebhook(mutated.headers, mutated.body, secret, now).verified).toBe(false);
    expect(acceptedByPackage(mutated.headers, mutated.body, secret)).toBe(false);
  });

  it.each([
    ['missing_header', without('webhook-id')],
    ['bad_timestamp', resigned(seconds - 310)],
    ['bad_timestamp', withHeader('webhook-timestamp', `${seconds}.0`)],
    ['bad_timestamp', withHeader('webhook-timestamp', `${seconds} `)],
    ['no_matching_signature', resigned(seconds, other)],
  ])('names %s as the reason', (reason, mutated) => {
    expect(verifyWebhook(mutated.headers, mutated.body, secret, now)).toEqual({ verified: false, reason });
  });

  it('counts the tolerance in both directions, to the second', () => {
    const at = (delta: number) => new Date((seconds + delta) * 1000);
    for (const delta of [-300, 300])
      expect(verifyWebhook(request.headers, body, secret, at(delta)).verified).toBe(true);
    for (const delta of [-301, 301])
      expect(verifyWebhook(request.headers, body, secret, at(delta)).verified).toBe(false);
    expect(verifyWebhook(request.headers, body, secret, at(11), 10).verified).toBe(false);
  });

  it('believes neither of two headers of one name', () => {
    const twice = { ...signed, 'webhook-signature': ['v1,AAAA', signed['webhook-signature']] };
    expect(verifyWebhook(twice, body, secret, now).verified).toBe(false);
    const twoCases = { ...signed, 'Webhook-Id': messageId };
    expect(verifyWebhook(twoCases, body, secret, now).verified).toBe(false);
  });

  it('looks at a bounded number of signatures', () => {
    const padded = (count: number) => `${'v1,AAAA '.repeat(count)}${signed['webhook-signature']}`;
    expect(verifyWebhook({ ...signed, 'webhook-signature': padded(15) }, body, secret, now).verified).toBe(true);
    expect(verifyWebhook({ ...signed, 'webhook-signature': padded(16) }, body, secret, now).verified).toBe(false);
  });

  it('of the older scheme refuses another body, another secret, capitals and an absent header', () => {
    const value = signed['x-webhook-signature-256'];
    expect(verifyBodySignature(request.headers, body, secret)).toBe(true);
    expect(verifyBodySignature(request.headers, `${body} `, secret)).toBe(false);
    expect(verifyBodySignature(request.headers, body, other)).toBe(false);
    expect(verifyBodySignature({ 'x-webhook-signature-256': value.toUpperCase() }, body, secret)).toBe(false);
    expect(verifyBodySignature({ 'x-webhook-signature-256': value.slice(7) }, body, secret)).toBe(false);
    expect(verifyBodySignature({}, body, secret)).toBe(false);
  });
});
