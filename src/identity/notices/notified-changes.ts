import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../auth/index.js';
import { tooManyRequests } from '../../common/errors/index.js';
import type { EnvironmentId } from '../../database/index.js';

/** Per user, over all kinds of changes. The name is part of the stored counters. */
export const NOTIFIED_CHANGES = { name: 'told-changes', limit: 30, windowSeconds: 3_600 } as const;

/** The limit, as operations describe it. */
export const NOTIFIED_CHANGES_LIMIT = `${NOTIFIED_CHANGES.limit} reversible changes with a notification email per hour and user`;

/**
 * Rate limit for changes that are notified by mail and can be made and reverted repeatedly. Without it, a user could flood
 * mailboxes and exhaust the mail budget of the deployment, so that nobody could sign in with a code. It does not cover
 * changes that consume a proof or have their own limit, nor what people do to protect themselves.
 */
@Injectable()
export class NotifiedChanges {
  constructor(private readonly limiter: RateLimiter) {}

  /** Counts the call. @throws ApiError too_many_requests */
  async assertWithin(environmentId: EnvironmentId, userId: string): Promise<void> {
    const { limit: most, windowSeconds } = NOTIFIED_CHANGES;
    const retryAfterSeconds = await this.limiter.take(NOTIFIED_CHANGES, `${environmentId}:${userId}`);
    if (retryAfterSeconds !== null) throw tooManyRequests({ retryAfterSeconds, limit: { most, windowSeconds } });
  }
}
