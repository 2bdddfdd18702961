import { describe, expect, it } from '@jest/globals';
import { networkOf } from './client-network.js';

describe('the network of a client', () => {
  it('is the /24 of an IPv4 address, however it is written', () => {
    expect(networkOf('203.0.113.7')).toBe('203.0.113.0');
    expect(networkOf('::ffff:203.0.113.250')).toBe('203.0.113.0');
    expect(networkOf('203.0.114.7')).not.toBe(networkOf('203.0.113.7'));
  });

  it('is the /48 of an IPv6 address', () => {
    expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:ffff::9'));
    expect(networkOf('2001:db8:2:2::1')).not.toBe(networkOf('2001:db8:1:2::1'));
  });

  it('is one and the same for everything that is no address', () => {
    expect([networkOf(''), networkOf('somewhere')]).toEqual(['unknown', 'unknown']);
  });
});
