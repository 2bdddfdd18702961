import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../../../database/index.js';
import type { FullUser } from '../../users/full-user.js';
import { Admissions } from './admissions.js';
import { withPreparation } from './sign-in-checks.js';

/** Changes by signed-in users to their own accounts, which are answered with new tokens. */
@Injectable()
export class AdmittedChanges {
  constructor(
    private readonly admissions: Admissions,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Whoever is no longer let in gets no tokens, and the response is a refusal; so the rules are evaluated in the
   * transaction of the change, for the user as changed, and a refusal leaves nothing behind.
   * @param change may be rolled back and run once more; returns the changed user, and whatever else the caller needs
   * @throws ApiError of the first rule that refuses
   */
  run<Changed extends { user: FullUser }>(
    environmentId: EnvironmentId,
    client: ClientOrigin,
    change: (tx: Transaction) => Promise<Changed>,
  ): Promise<Changed> {
    const about = { environmentId, created: false, amr: [], occasion: 'refresh', client } as const;
    return withPreparation((prepared) =>
      this.work.run(async (tx) => {
        const changed = await change(tx);
        await this.admissions.admit({ ...about, user: changed.user, prepared }, tx);
        return changed;
      }),
    );
  }
}
