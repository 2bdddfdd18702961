import { Injectable } from '@nestjs/common';
import { Database, UnitOfWork, type EnvironmentId } from '../../database/index.js';
import type { FullUser } from '../../identity/index.js';
import { HoldingsReader } from '../gates/holdings-reader.js';
import { AccessGrantsRepository, type DueGrant } from './access-grants.repository.js';
import { AccessLosses, type LookedAt } from './access-losses.js';
import type { EnabledRule } from './enabled-rules.repository.js';
import { EnabledRules } from './enabled-rules.js';
import { judge } from './judgement.js';
import { keptScopes, type KeptScopes } from './kept-scopes.js';
import { walletsOf } from './known-identities.js';
import { ListedUsers } from './listed-users.js';

/** While a chain cannot be read, grants that depend on it stay valid this long after their last confirmation. */
export const UNCONFIRMED_SECONDS = 900;

/** Checks whether users still meet the rules behind their grants, and revokes what is no longer justified. */
@Injectable()
export class AccessSweep {
  constructor(
    private readonly grants: AccessGrantsRepository,
    private readonly enabled: EnabledRules,
    private readonly holdings: HoldingsReader,
    private readonly listed: ListedUsers,
    private readonly losses: AccessLosses,
    private readonly database: Database,
    private readonly work: UnitOfWork,
  ) {}

  /** Checks grants of one environment. While a chain is unreadable, they are kept for a while; none are added. */
  async sweep(environmentId: EnvironmentId, due: readonly DueGrant[]): Promise<void> {
    const gone = due.filter(({ isIn }) => !isIn);
    if (gone.length > 0) await this.work.run((tx) => this.grants.forget(environmentId, gone, tx));
    const present = due.filter(({ isIn }) => isIn);
    if (present.length === 0) return;
    const judged = await this.judge(environmentId, present);
    const isLost = ({ grant, kept }: LookedAt): boolean =>
      (!kept.isAdmitted || kept.scopes.length < grant.scopes.length) && !isLeft(grant, kept);
    await this.losses.take(environmentId, judged.filter(isLost));
    const rest = judged.filter((each) => !isLost(each));
    const marks = rest.map(({ grant, kept }) => ({ ...grant, confirmed: !kept.isUncertain }));
    if (marks.length > 0) await this.grants.markSwept(environmentId, marks);
  }

  private async judge(environmentId: EnvironmentId, present: readonly DueGrant[]): Promise<LookedAt[]> {
    const enabled = await this.enabled.get(environmentId, this.database);
    const ids = present.map(({ userId }) => userId);
    const { users, lists } = await this.listed.read(environmentId, ids, enabled);
    const rules = enabled.flatMap((each: EnabledRule) => each.rules ?? []);
    // Concurrently, so that queries for hundreds of users are batched.
    const judged = await Promise.all(
      present.map(async (grant): Promise<LookedAt | null> => {
        const user: FullUser | undefined = users.get(grant.userId);
        if (!user) return null;
        const findings = await this.holdings.read(environmentId, rules, walletsOf(user), { apart: true });
        const verdicts = judge(enabled, findings, lists.get(user.id) ?? new Set());
        return { grant, kept: keptScopes(grant.scopes, verdicts) };
      }),
    );
    return judged.filter((each) => each !== null);
  }
}

const isLeft = ({ unconfirmedSeconds }: DueGrant, { isUncertain }: KeptScopes): boolean =>
  isUncertain && unconfirmedSeconds < UNCONFIRMED_SECONDS;
