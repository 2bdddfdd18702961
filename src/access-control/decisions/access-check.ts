import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Executor } from '../../database/index.js';
import { PreparationNeeded, SignInCheck, SignInChecks, type Admission } from '../../identity/index.js';
import { AllowlistEntriesRepository } from '../allowlists/allowlist-entries.repository.js';
import { HoldingsReader } from '../gates/holdings-reader.js';
import { AccessGrantsRepository } from './access-grants.repository.js';
import { decide } from './decision.js';
import { judge } from './judgement.js';
import type { EnabledRule } from './enabled-rules.repository.js';
import { EnabledRules } from './enabled-rules.js';
import { entryKeysOf, walletsOf } from './known-identities.js';
import { refusalOf } from './refusal.js';

/** Asks the enabled gates and allowlists of an environment whenever somebody is about to receive tokens. */
@Injectable()
export class AccessCheck extends SignInCheck implements OnModuleInit {
  constructor(
    private readonly checks: SignInChecks,
    private readonly enabled: EnabledRules,
    private readonly holdings: HoldingsReader,
    private readonly entries: AllowlistEntriesRepository,
    private readonly grants: AccessGrantsRepository,
  ) {
    super();
  }

  onModuleInit(): void {
    this.checks.register(this);
  }

  override async check(admission: Admission, on: Executor): Promise<{ scopes: string[]; lists: string[] } | null> {
    const { environmentId, user, prepared } = admission;
    const enabled = await this.enabled.get(environmentId, on);
    if (enabled.length === 0) return null;
    const wallets = walletsOf(user);
    const rules = enabled.flatMap((each) => each.rules ?? []);
    const findings = rules.map((rule) => this.holdings.recall(environmentId, rule, wallets));
    if (!prepared && findings.includes(null)) {
      // Chains are read outside of the transaction, which holds rows and a connection.
      throw new PreparationNeeded(() => this.holdings.read(environmentId, rules, wallets));
    }
    const decision = decide(judge(enabled, findings, await this.listed(admission, enabled, on)));
    if (!decision.admitted) throw refusalOf(decision, user);
    await this.grants.keep(environmentId, user.id, decision.scopes, on);
    return { scopes: decision.scopes, lists: decision.lists };
  }

  private async listed(
    { environmentId, user }: Admission,
    enabled: readonly EnabledRule[],
    on: Executor,
  ): Promise<Set<string>> {
    const ids = enabled.filter(({ kind }) => kind === 'allowlist').map(({ id }) => id);
    return ids.length === 0 ? new Set() : this.entries.matches(environmentId, ids, entryKeysOf(user), on);
  }
}
