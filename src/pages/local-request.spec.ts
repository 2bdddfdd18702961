import { describe, expect, it } from '@jest/globals';
import type { Socket } from 'node:net';
import { isLocalRequest } from './local-request.js';

const ask = (remoteAddress: string | undefined, headers: Record<string, string>): boolean =>
  isLocalRequest({ socket: { remoteAddress } as Socket, headers });

describe('a request of this machine', () => {
  it.each([
    ['127.0.0.1', 'localhost:3000'],
    ['::ffff:127.0.0.1', '127.0.0.1:3000'],
    ['::1', '[::1]:3000'],
    ['127.0.0.53', 'LOCALHOST'],
  ])('comes from %s to %s', (address, host) => {
    expect(ask(address, { host })).toBe(true);
  });

  it.each([
    ['a neighbour in the network', '192.168.1.7', { host: 'localhost:3000' }],
    ['an address that only starts like loopback', '127.0.0.1.example', { host: 'localhost' }],
    ['a closed connection', undefined, { host: 'localhost' }],
    ['a name that an attacker pointed here', '127.0.0.1', { host: 'rebind.example:3000' }],
    ['a name that only starts like this machine', '127.0.0.1', { host: 'localhost.example' }],
    ['no name at all', '127.0.0.1', {}],
    ['a proxy on this machine', '127.0.0.1', { host: 'localhost', 'x-forwarded-for': '203.0.113.9' }],
    ['another site in the browser', '127.0.0.1', { host: 'localhost', 'sec-fetch-site': 'cross-site' }],
    [
      'a frame of another site',
      '127.0.0.1',
      { host: 'localhost', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ],
  ])('is not one of %s', (_name, address, headers) => {
    expect(ask(address, headers as Record<string, string>)).toBe(false);
  });

  it('may be a link that a person followed', () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect(ask('127.0.0.1', { host: 'localhost', ...link })).toBe(true);
  });
});
