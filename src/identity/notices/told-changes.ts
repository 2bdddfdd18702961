import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../auth/index.js';
import { tooManyRequests } from '../../common/errors/index.js';
import type { EnvironmentId } from '../../database/index.js';

/** Per user, whatever is changed. */
export const TOLD_CHANGES = { name: 'told-changes', limit: 30, windowSeconds: 3_600 } as const;

/** What an operation says of it. */
export const TOLD_CHANGES_LIMIT = `${TOLD_CHANGES.limit} reversible changes with a notification email per hour and user`;

/**
 * Changes that people are told of by mail, and that can be made and taken back without end. Whoever did so would fill
 * mailboxes and use up the mails of the deployment, and then nobody could sign in by a code, nor be told of anything. What
 * uses a proof up, or has a limit of its own, is not among them, and neither is what people do to protect themselves.
 */
@Injectable()
export class ToldChanges {
  constructor(private readonly limiter: RateLimiter) {}

  /** Counts the call. @throws ApiError too_many_requests */
  async assertWithin(environmentId: EnvironmentId, userId: string): Promise<void> {
    const { limit: most, windowSeconds } = TOLD_CHANGES;
    const retryAfterSeconds = await this.limiter.take(TOLD_CHANGES, `${environmentId}:${userId}`);
    if (retryAfterSeconds !== null) throw tooManyRequests({ retryAfterSeconds, limit: { most, windowSeconds } });
  }
}
