import { describe, expect, it } from '@jest/globals';
import { EgressAllowList } from './egress-allow-list.js';

describe('the allow list of outbound destinations', () => {
  it.each([
    ['localhost', 'localhost', 80, true],
    ['localhost', 'localhost', 9000, true],
    ['localhost', 'other', 80, false],
    ['localhost', 'a.localhost', 80, false],
    ['Receiver.Internal', 'receiver.internal', 443, true],
    ['receiver.internal.', 'receiver.internal', 443, true],
    ['bücher.internal', 'xn--bcher-kva.internal', 443, true],
    ['localhost:9000', 'localhost', 9000, true],
    ['localhost:9000', 'localhost', 9001, false],
    ['127.0.0.1', '127.0.0.1', 1, true],
    ['127.0.0.1', '127.0.0.2', 1, false],
    ['127.0.0.1:8080', '127.0.0.1', 8080, true],
    ['127.0.0.1:8080', '127.0.0.1', 8081, false],
    ['10.0.0.0/8', '10.255.0.1', 443, true],
    ['10.0.0.0/8', '11.0.0.1', 443, false],
    ['::1', '::1', 443, true],
    ['[::1]', '::1', 443, true],
    ['[::1]:9000', '::1', 9000, true],
    ['[::1]:9000', '::1', 9001, false],
    ['fd00::/8', 'fd12::1', 443, true],
    ['fd00::/8', 'fe80::1', 443, false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', 443, false],
    ['0.0.0.0/0', '::1', 443, false],
    ['a.internal, 10.0.0.0/8 ,b.internal:1', 'b.internal', 1, true],
    [' , ', 'localhost', 80, false],
    ['', 'localhost', 80, false],
  ])('%p answers for %s port %d with %s', (text, host, port, expected) => {
    expect(EgressAllowList.parse(text).allowsHost(host, port)).toBe(expected);
  });

  it('an address entry does not answer for a zone id or a name', () => {
    const list = EgressAllowList.parse('fe80::/10');
    expect(list.allowsAddress('fe80::1', 1)).toBe(true);
    expect(list.allowsAddress('fe80::1%lo', 1)).toBe(false);
    expect(list.allowsAddress('example.com', 1)).toBe(false);
  });

  it.each([
    'http://localhost',
    'localhost/path',
    'user@localhost',
    'a b',
    '*.example.com',
    'localhost:0',
    'localhost:65536',
    'localhost:x',
    'localhost:1:2',
    '127.1',
    '0x7f.1',
    '2130706433',
    '256.1.1.1',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0/8',
    '[127.0.0.1]',
    '[::1',
    '[::1]:0',
    'fe80::1%lo',
    'a..b',
    'x\ny',
  ])('refuses to start with the entry %p, in one line that shows it', (entry) => {
    let message = '';
    try {
      EgressAllowList.parse(`ok.internal,${entry}`);
    } catch (error) {
      message = String(error);
    }
    expect(message).toMatch(/^EgressAllowError: EGRESS_ALLOW: ".+" (is not|has a port|has bits).*$/);
    expect(message).not.toContain('\n');
  });

  it('does not take the scheme of a URL for a host', () => {
    expect(() => EgressAllowList.parse('https://example.com/')).toThrow('is not a host');
  });

  it('names the range that was probably meant when an entry has host bits', () => {
    expect(() => EgressAllowList.parse('10.1.2.3/8')).toThrow('write 10.0.0.0/8');
  });
});
