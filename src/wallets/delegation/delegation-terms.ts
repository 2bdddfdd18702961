import { Injectable } from '@nestjs/common';
import { StepUp, type EndUserPrincipal } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId } from '../../database/index.js';
import { DAY_MS, MOST_DAYS } from './delegated-access.js';
import { invalidDelegation } from './delegated-access.errors.js';

const refused = (reason: string): Error => invalidDelegation({ payload: { reason } });

/** The proof needed to give access, and its expiry. */
@Injectable()
export class DelegationTerms {
  constructor(
    private readonly stepUp: StepUp,
    private readonly clock: Clock,
  ) {}

  /** Uses up the proof, so that a recorded delivery cannot be replayed. @throws ApiError fresh_proof_required */
  async assertProven(environmentId: EnvironmentId, caller: EndUserPrincipal, elevated: string | null): Promise<void> {
    await this.stepUp.assertFresh(environmentId, caller, 'wallet:delegate', elevated);
  }

  /** @throws ApiError invalid_delegated_access */
  endOf(asked: Date | undefined): Date {
    const now = this.clock.timestamp();
    const last = new Date(now + MOST_DAYS * DAY_MS);
    if (!asked) return last;
    if (asked.getTime() <= now) throw refused('expiresAt is in the past');
    if (asked > last) throw refused(`expiresAt is more than ${MOST_DAYS} days away`);
    return asked;
  }
}
