import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import { ApiError } from '../../../common/errors/index.js';
import { Database, type EnvironmentId } from '../../../database/index.js';
import { isEmbedded } from '../../credentials/embedded.js';
import { IdentifierClaimsRepository } from '../../credentials/identifier-claims.repository.js';
import type { IdentifierKey } from '../../credentials/identifier-key.js';
import type { Holder } from '../../linking/decisions.js';
import type { FullUser } from '../../users/full-user.js';
import { UserReader } from '../../users/user-reader.js';
import type { Voucher } from '../../vocabulary/voucher.js';
import { Admissions } from '../admission/admissions.js';
import { withPreparation } from '../admission/sign-in-checks.js';
import { AccountGuards } from './account-guards.js';
import { SignInMethods } from './sign-in-method.js';

/** How a newly proven credential relates to existing users. */
export interface Meeting {
  holder: Holder;
  /** The other user, if there is one. */
  other: FullUser | null;
}

/** How a signed-in user reaches another user's account. */
export interface Approach {
  /** Authentication methods of the proof. Those of the caller's session say nothing about the other user. */
  amr: readonly string[];
  voucher?: Voucher | undefined;
  client: ClientOrigin;
}

const NOBODY = { other: null };

/** Finds the user a proven credential belongs to. `linking/decisions.ts` decides what happens, for all kinds alike. */
@Injectable()
export class Meetings {
  constructor(
    private readonly claims: IdentifierClaimsRepository,
    private readonly users: UserReader,
    private readonly methods: SignInMethods,
    private readonly admissions: Admissions,
    private readonly guards: AccountGuards,
    private readonly database: Database,
  ) {}

  /** @throws ApiError of a rule that requires another way to the other user, such as 422 `single_sign_on_required` */
  async look(environmentId: EnvironmentId, userId: string, key: IdentifierKey, approach: Approach): Promise<Meeting> {
    const claim = await this.claims.find(environmentId, key);
    if (claim.isProven && claim.userId === userId) return { holder: 'caller', ...NOBODY };
    const known = [...new Set([...(claim.userId ? [claim.userId] : []), ...claim.candidates])];
    const others = await Promise.all(
      known.filter((id) => id !== userId).map((id) => this.users.findFull(environmentId, id)),
    );
    const [other = null] = others;
    if (!claim.isProven) return { holder: this.unproven(known, userId, other, key), other };
    if (!other) return { holder: 'nobody', ...NOBODY };
    return { holder: await this.provenBy(environmentId, other, key, approach), other };
  }

  /**
   * Whether a rule of the environment keeps the user out.
   * @throws ApiError of a rule that requires another way in, such as 422 `single_sign_on_required`
   */
  async isBlocked(environmentId: EnvironmentId, user: FullUser, approach: Approach): Promise<boolean> {
    const admission = { environmentId, user, created: false, occasion: 'meeting' as const, ...approach };
    try {
      await withPreparation((prepared) => this.admissions.admit({ ...admission, prepared }, this.database));
      return false;
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) return true;
      throw error;
    }
  }

  /** Whether the credential is the user's last one that allows sign-in. */
  isLast({ verifiedCredentials }: FullUser, key: IdentifierKey): boolean {
    return !verifiedCredentials.some(
      (own) => own.verifiedAt && own.signInEnabled && this.methods.canProve(own.format) && !key.matches(own),
    );
  }

  private unproven(known: readonly string[], userId: string, other: FullUser | null, key: IdentifierKey): Holder {
    if (known.length === 0) return 'nobody';
    if (known.every((id) => id === userId)) return 'caller-unproven';
    const hasWallets = other?.verifiedCredentials.some(isEmbedded);
    return known.length === 1 && other && hasWallets && this.isLast(other, key) ? 'stated-embedded' : 'stated';
  }

  private async provenBy(
    environmentId: EnvironmentId,
    other: FullUser,
    key: IdentifierKey,
    approach: Approach,
  ): Promise<Holder> {
    const isGuarded = await this.guards.against(environmentId, approach.amr);
    if (isGuarded(other)) return 'other-guarded';
    if (await this.isBlocked(environmentId, other, approach)) return 'other-blocked';
    return this.isLast(other, key) ? 'other-last' : 'other';
  }
}
