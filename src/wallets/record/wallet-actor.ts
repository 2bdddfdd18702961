import type { KeyActor } from '../../custody/index.js';
import { SERVICE, type Actor } from '../../organizations/index.js';

/** The requester of a key use, as named in the audit trail and events. */
export function actorOf({ type, id, tokenId }: KeyActor): Actor {
  if (id === null || type === 'system') return SERVICE;
  if (type === 'member') return { kind: 'dashboardUser', userId: id, tokenId: tokenId ?? null };
  return type === 'token' ? { kind: 'environmentToken', tokenId: id } : { kind: 'endUser', userId: id };
}
