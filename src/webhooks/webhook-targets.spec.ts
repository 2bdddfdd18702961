import { describe, expect, it } from '@jest/globals';
import { securityEventOf } from '../common/security/index.js';
import { EgressPolicy } from '../outbound/index.js';
import { WebhookTargets } from './webhook-targets.js';

const targets = new WebhookTargets(new EgressPolicy('', { allowHttp: false, allowIpLiterals: false }));

describe('the address of a webhook', () => {
  it.each([
    ['https://example.com/hooks?a=1', 'https://example.com/hooks?a=1'],
    ['https://EXAMPLE.com:443', 'https://example.com/'],
    ['https://example.com:8443/', 'https://example.com:8443/'],
  ])('%s is kept as %s', (given, kept) => {
    expect(targets.parse(given)).toBe(kept);
  });

  it.each([
    'http://example.com/',
    'https://127.0.0.1/',
    'https://93.184.216.34/',
    'https://user@example.com/',
    'https://example.com:444/',
    'https://localhost/',
    'ftp://example.com/',
    '',
  ])('is refused: %s', (url) => {
    expect(() => targets.parse(url)).toThrow(expect.objectContaining({ code: 'webhook_url_refused', status: 400 }));
  });

  it.each([
    ['https://169.254.169.254/', 'egress.refused'],
    ['https://metadata.google.internal/', 'egress.refused'],
    ['https://example.com:444/', null],
    ['http://example.com/', null],
  ])('%s is told to the security log where it leads inside: %s', (url, event) => {
    let refused: unknown;
    try {
      targets.parse(url);
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeDefined();
    expect(securityEventOf(refused)).toBe(event);
  });

  it('that is a topic of SNS is refused with a sentence about it', () => {
    expect(() => targets.parse('arn:aws:sns:eu-west-1:123456789012:events')).toThrow(/SNS are not supported/);
  });
});
