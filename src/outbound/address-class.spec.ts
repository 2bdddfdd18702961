import { describe, expect, it } from '@jest/globals';
import { classifyAddress } from './address-class.js';
import type { AddressClass } from './address-class.js';

const CLASSES: readonly (readonly [string, AddressClass])[] = [
  ['1.1.1.1', 'public'],
  ['8.8.8.8', 'public'],
  ['9.255.255.255', 'public'],
  ['11.0.0.0', 'public'],
  ['100.63.255.255', 'public'],
  ['100.128.0.0', 'public'],
  ['126.255.255.255', 'public'],
  ['128.0.0.0', 'public'],
  ['169.253.255.255', 'public'],
  ['169.255.0.0', 'public'],
  ['172.15.255.255', 'public'],
  ['172.32.0.0', 'public'],
  ['192.0.1.0', 'public'],
  ['192.167.255.255', 'public'],
  ['192.169.0.0', 'public'],
  ['198.17.255.255', 'public'],
  ['198.20.0.0', 'public'],
  ['223.255.255.255', 'public'],
  ['2606:4700:4700::1111', 'public'],
  ['2a00:1450:4001::200e', 'public'],
  ['2001:200::1', 'public'],
  ['2003::1', 'public'],
  ['3fff:1000::1', 'public'],
  ['0.0.0.0', 'unspecified'],
  ['127.0.0.1', 'loopback'],
  ['10.0.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['192.168.0.1', 'private'],
  ['100.64.0.1', 'cgnat'],
  ['169.254.1.1', 'link_local'],
  ['169.254.169.254', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['168.63.129.16', 'metadata'],
  ['192.0.0.192', 'metadata'],
  ['fd00:ec2::254', 'metadata'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['240.0.0.1', 'reserved'],
  ['192.0.2.1', 'documentation'],
  ['198.18.0.1', 'benchmark'],
  ['192.88.99.1', 'six_to_four'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::2', 'ipv4_compatible'],
  ['::127.0.0.1', 'ipv4_compatible'],
  ['::ffff:1.1.1.1', 'ipv4_mapped'],
  ['::ffff:0:1.1.1.1', 'ipv4_translated'],
  ['64:ff9b::1.1.1.1', 'nat64'],
  ['64:ff9b:1::1', 'nat64'],
  ['2002:101:101::', 'six_to_four'],
  ['2001::1', 'teredo'],
  ['2001:2::1', 'benchmark'],
  ['2001:4:112::1', 'reserved'],
  ['2001:db8::1', 'documentation'],
  ['3fff:fff::1', 'documentation'],
  ['2606:4700::5efe:1.1.1.1', 'isatap'],
  ['fd00::1', 'unique_local'],
  ['fe80::1', 'link_local'],
  ['fec0::1', 'site_local'],
  ['ff02::1', 'multicast'],
  ['64:ff9a::1', 'reserved'],
  ['1fff:ffff::1', 'reserved'],
  ['4000::1', 'reserved'],
];

describe('the class of an address', () => {
  it.each(CLASSES)('%s is %s', (address, expected) => {
    expect(classifyAddress(address)).toBe(expected);
  });

  it.each(['', 'example.com', '127.1', '0x7f.0.0.1', '010.0.0.1', '2130706433', '1.1.1.1 ', '[::1]', '2606::1%eth0'])(
    'a text that is not a strict literal is unparsable: %p',
    (text) => {
      expect(classifyAddress(text)).toBe('unparsable');
    },
  );
});
