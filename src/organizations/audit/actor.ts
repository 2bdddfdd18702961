import type { DashboardUserPrincipal, EndUserPrincipal, EnvironmentTokenPrincipal } from '../../auth/index.js';
import type { EventActor } from '../../database/index.js';

type Who<P, K extends keyof P> = Readonly<Pick<P, K>>;

/** Who made a change: the caller as the guard identified it, or the service itself (jobs and operator programs). */
export type Actor =
  | Who<DashboardUserPrincipal, 'kind' | 'userId' | 'tokenId'>
  | Who<EnvironmentTokenPrincipal, 'kind' | 'tokenId'>
  | Who<EndUserPrincipal, 'kind' | 'userId'>
  | { readonly kind: 'service' };

export const SERVICE = { kind: 'service' } as const satisfies Actor;

/** An actor as a record stores it: only ids, which identify nobody once the person is deleted. */
export type StoredActor =
  | { kind: 'member'; id: string; tokenId?: string }
  | { kind: 'apiToken'; id: string }
  | { kind: 'endUser'; id: string }
  | { kind: 'service' };

/** `id` is the user id or, for an API token, the token id; `tokenId` is the personal token a member acted with. */
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

/** An actor as events show it; null for an end user, who appears as the user of the event instead. */
export function eventActor(actor: Actor): EventActor | null {
  const stored = storedActor(actor);
  return stored.kind === 'endUser' ? null : stored;
}
