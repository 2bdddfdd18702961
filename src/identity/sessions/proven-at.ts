import type { Session } from './session.entity.js';

/**
 * When the person authenticated, which for a sign-in elsewhere may be long before the session began (`auth_time`,
 * OpenID Connect Core section 2).
 */
export const provenAt = ({ createdAt, authenticatedAt }: Pick<Session, 'createdAt' | 'authenticatedAt'>): Date =>
  authenticatedAt && authenticatedAt < createdAt ? authenticatedAt : createdAt;
