import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { InvalidWebhookSecretError, WebhookSecret } from './webhook-secret.js';

const base64 = (size: number) => Buffer.alloc(size, 0xa5).toString('base64');

describe('a webhook secret', () => {
  it('is generated as whsec_ and the base64 of 32 random bytes', () => {
    const secrets = Array.from({ length: 1000 }, () => WebhookSecret.generate().reveal());
    expect(new Set(secrets).size).toBe(1000);
    for (const text of secrets) expect(text).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });

  it.each([24, 25, 32, 63, 64])('of %d bytes is read back to the same text and key', (size) => {
    const text = `whsec_${base64(size)}`;
    const secret = WebhookSecret.parse(text);
    expect(secret.reveal()).toBe(text);
    expect(secret.hmacKey().export()).toEqual(Buffer.alloc(size, 0xa5));
  });

  it.each([
    ['23 bytes', `whsec_${base64(23)}`],
    ['65 bytes', `whsec_${base64(65)}`],
    ['no bytes', 'whsec_'],
    ['no prefix', base64(32)],
    ['a prefix in capitals', `WHSEC_${base64(32)}`],
    ['another prefix', `whpk_${base64(32)}`],
    ['base64 without its padding', `whsec_${base64(32).replace('=', '')}`],
    ['base64url', `whsec_${Buffer.alloc(33, 0xff).toString('base64url')}`],
    ['base64 with stray bits in the last character', `whsec_${base64(32).replace(/.=$/, 'V=')}`],
    ['a line break', `whsec_${base64(32)}\n`],
    ['a space inside', `whsec_ ${base64(32)}`],
    ['characters outside the alphabet', `whsec_${'!'.repeat(44)}`],
  ])('with %s is refused, and the error does not show it', (_case, text) => {
    let caught: unknown = null;
    try {
      WebhookSecret.parse(text);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(InvalidWebhookSecretError);
    if (text.length > 12) expect(inspect(caught)).not.toContain(text.slice(6).trim());
  });

  it('shows itself in no text, JSON, inspection or own property', () => {
    const secret = WebhookSecret.generate();
    const body = secret.reveal().slice('whsec_'.length);
    const shown = [
      `${String(secret)}`,
      JSON.stringify({ secret }),
      inspect({ secret }, { depth: 9, showHidden: true }),
      JSON.stringify(Object.getOwnPropertyDescriptors(secret)),
      JSON.stringify({ ...secret }),
      inspect(secret.hmacKey(), { showHidden: true }),
    ];
    for (const text of shown) expect(text).not.toContain(body);
    expect(shown[0]).toBe('whsec_[redacted]');
  });
});
