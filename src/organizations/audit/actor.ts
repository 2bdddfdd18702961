import type { DashboardPrincipal, EndUserPrincipal } from '../../auth/index.js';

/** Who made a change: the caller as the guard found it, or the service itself, its jobs and operator programs. */
export type Actor = DashboardPrincipal | EndUserPrincipal | { kind: 'service' };

export const SERVICE: Actor = { kind: 'service' };

/** An actor as a record keeps it: ids alone, which mean nothing once the person is gone. */
export type StoredActor =
  | { kind: 'member'; id: string; tokenId?: string }
  | { kind: 'apiToken'; id: string }
  | { kind: 'endUser'; id: string }
  | { kind: 'service' };

/** `id` is the user's or, of an API token, its own; `tokenId` is the personal token a member acted with. */
export function storedActor(actor: Actor): StoredActor {
  switch (actor.kind) {
    case 'dashboardUser':
      return { kind: 'member', id: actor.userId, ...(actor.tokenId !== null && { tokenId: actor.tokenId }) };
    case 'environmentToken':
      return { kind: 'apiToken', id: actor.tokenId };
    case 'endUser':
      return { kind: 'endUser', id: actor.userId };
    case 'service':
      return { kind: 'service' };
  }
}
