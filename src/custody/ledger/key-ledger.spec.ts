import { describe, expect, it } from '@jest/globals';
import type { Principal } from '../../auth/index.js';
import { keyActorOf, SERVICE } from './key-ledger.js';

describe('who used keys', () => {
  const member = { kind: 'dashboardUser', userId: 'm', consoleEnvironmentId: 'c', role: 'admin' } as const;

  it.each<[string, Principal, object]>([
    [
      'a user, with the session',
      {
        ...{ kind: 'endUser', environmentId: 'e', userId: 'u', sessionId: 's', scopes: [], tokenId: 't' },
        tokenUse: 'current',
      },
      { type: 'user', id: 'u', sessionId: 's' },
    ],
    ['a member in the console', { ...member, tokenId: null }, { type: 'member', id: 'm' }],
    ['a member, with the personal token', { ...member, tokenId: 't' }, { type: 'member', id: 'm', tokenId: 't' }],
    [
      'a server, by its token',
      { kind: 'environmentToken', tokenId: 't', environmentId: 'e', scopes: [], createdBy: 'm', role: 'admin' },
      { type: 'token', id: 't' },
    ],
    ['the service itself', { kind: 'anonymous' }, SERVICE],
  ])('is %s', (_, principal, actor) => expect(keyActorOf(principal)).toEqual(actor));
});
