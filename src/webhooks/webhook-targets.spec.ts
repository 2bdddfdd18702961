import { describe, expect, it } from '@jest/globals';
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

  it('that is a topic of SNS is refused with a sentence about it', () => {
    expect(() => targets.parse('arn:aws:sns:eu-west-1:123456789012:events')).toThrow(/SNS are not supported/);
  });
});
