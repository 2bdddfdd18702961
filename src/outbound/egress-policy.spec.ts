import { describe, expect, it } from '@jest/globals';
import { EGRESS_REFUSALS, egressEvent, EgressPolicy, type EgressRefusal } from './egress-policy.js';
import { FORBIDDEN_ANSWERS, FORBIDDEN_HOSTS, FORBIDDEN_URLS, PERMITTED_URLS } from './ssrf-vectors.js';

const PRODUCTION = { allowHttp: false, allowIpLiterals: false };
const DEVELOPMENT = { allowHttp: true, allowIpLiterals: true };
const production = new EgressPolicy('', PRODUCTION);

function reasonOf(policy: EgressPolicy, url: string): EgressRefusal | 'allowed' {
  const verdict = policy.checkUrl(url);
  return verdict.allowed ? 'allowed' : verdict.reason;
}

describe('the URL of an outbound request', () => {
  it('is tried with at least 120 forbidden hosts', () => {
    expect(new Set(FORBIDDEN_HOSTS.map(([host]) => host)).size).toBe(FORBIDDEN_HOSTS.length);
    expect(FORBIDDEN_HOSTS.length).toBeGreaterThanOrEqual(120);
  });

  it.each(FORBIDDEN_HOSTS)('https://%s/ is refused: %s', (host, reason) => {
    expect(reasonOf(production, `https://${host}/`)).toBe(reason);
  });

  it.each(FORBIDDEN_HOSTS)(
    'http://%s:8080/ is refused where http, literals and the port are allowed: %s',
    (host, reason) => {
      const open = new EgressPolicy('', { ...DEVELOPMENT, allowedPorts: [8080] });
      expect(reasonOf(open, `http://${host}:8080/`)).toBe(reason);
    },
  );

  it.each(FORBIDDEN_URLS)('%p is refused: %s', (url, reason) => {
    expect(reasonOf(production, url)).toBe(reason);
  });

  it.each(PERMITTED_URLS)('%s is allowed', (url) => {
    expect(reasonOf(production, url)).toBe('allowed');
  });

  it('comes back normalised', () => {
    const verdict = production.checkUrl('HTTPS://EXAMPLE.com:443/a b'.replace(' ', '%20'));
    expect(verdict).toMatchObject({ allowed: true, url: { href: 'https://example.com/a%20b' } });
  });

  it('is refused with a sentence that names nothing of the network', () => {
    const verdict = production.checkUrl('https://169.254.169.254/');
    expect(verdict).toEqual({ allowed: false, reason: 'address', message: EGRESS_REFUSALS.address });
    for (const message of Object.values(EGRESS_REFUSALS))
      expect(message).not.toMatch(/\d+\.\d+|metadata|private|loopback/);
  });

  it.each([
    ['https://redis/', true],
    ['https://node.internal/', true],
    ['https://169.254.169.254/', true],
    ['https://hooks..example.com/', false],
    [`https://${'a'.repeat(64)}.example.com/`, false],
    ['http://example.com/', false],
  ])('%s raises an alarm, unless it is a mistake in typing: %p', (url, isAlarm) => {
    const reason = reasonOf(production, url);
    expect(reason).not.toBe('allowed');
    expect('security' in egressEvent(reason as EgressRefusal)).toBe(isAlarm);
  });

  it('may use plain http on port 80, or a public literal, only where the options say so', () => {
    const development = new EgressPolicy('', DEVELOPMENT);
    expect(reasonOf(development, 'http://example.com/')).toBe('allowed');
    expect(reasonOf(development, 'https://1.1.1.1/')).toBe('allowed');
    expect(reasonOf(development, 'http://example.com:8080/')).toBe('port');
    expect(reasonOf(production, 'http://example.com/')).toBe('scheme');
    expect(reasonOf(production, 'https://1.1.1.1/')).toBe('ip_literal');
  });

  it.each([
    ['receiver.internal', 'http://receiver.internal:9000/'],
    ['receiver.internal', 'https://receiver.internal./'],
    ['redis', 'http://redis/'],
    ['127.0.0.1', 'http://127.0.0.1:9000/'],
    ['127.0.0.1', 'http://0x7f.1:9000/'],
    ['[::1]:9000', 'http://[::1]:9000/'],
    ['10.0.0.0/8', 'http://10.1.2.3/'],
  ])('may use http, any port and a literal when %p is on the allow list: %s', (allow, url) => {
    expect(reasonOf(production, url)).not.toBe('allowed');
    expect(reasonOf(new EgressPolicy(allow, PRODUCTION), url)).toBe('allowed');
  });

  it('stays refused for credentials and other schemes even when the host is on the allow list', () => {
    const policy = new EgressPolicy('localhost', PRODUCTION);
    expect(reasonOf(policy, 'http://a:b@localhost/')).toBe('credentials');
    expect(reasonOf(policy, 'ftp://localhost/')).toBe('scheme');
    expect(reasonOf(policy, 'http://127.0.0.1/')).toBe('scheme');
  });

  it('cannot be judged by a policy whose allow list does not parse', () => {
    expect(() => new EgressPolicy('10.0.0.0/99', PRODUCTION)).toThrow(/^EGRESS_ALLOW: "10\.0\.0\.0\/99" is not/);
  });
});

describe('the address of an outbound connection', () => {
  it.each(FORBIDDEN_ANSWERS)('%p is refused for a public name', (address) => {
    expect(production.checkAddress(address, 'example.com', 443)).toMatchObject({ allowed: false, reason: 'address' });
  });

  it.each(['1.1.1.1', '2606:4700:4700::1111'])('%s is allowed', (address) => {
    expect(production.checkAddress(address, 'example.com', 443)).toEqual({ allowed: true });
  });

  it('is allowed inside when its name, or the address itself, is on the allow list with that port', () => {
    const policy = new EgressPolicy('receiver.internal:9000,10.0.0.0/8', PRODUCTION);
    expect(policy.checkAddress('192.168.0.1', 'receiver.internal', 9000).allowed).toBe(true);
    expect(policy.checkAddress('192.168.0.1', 'Receiver.Internal.', 9000).allowed).toBe(true);
    expect(policy.checkAddress('192.168.0.1', 'receiver.internal', 9001).allowed).toBe(false);
    expect(policy.checkAddress('10.0.0.1', 'example.com', 443).allowed).toBe(true);
    expect(policy.checkAddress('192.168.0.1', 'example.com', 9000).allowed).toBe(false);
  });
});
