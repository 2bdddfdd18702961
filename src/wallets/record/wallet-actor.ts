import type { KeyActor } from '../../custody/index.js';
import { SERVICE, type Actor } from '../../organizations/index.js';

/** Who asked for keys to be used, as the audit trail and events name them. */
export function actorOf({ type, id, tokenId }: KeyActor): Actor {
  if (id === null || type === 'system') return SERVICE;
  if (type === 'member') return { kind: 'dashboardUser', userId: id, tokenId: tokenId ?? null };
  return type === 'token' ? { kind: 'environmentToken', tokenId: id } : { kind: 'endUser', userId: id };
}
