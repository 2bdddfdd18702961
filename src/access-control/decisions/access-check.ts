import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Executor } from '../../database/index.js';
import { PreparationNeeded, SignInCheck, SignInChecks, type Admission } from '../../identity/index.js';
import { AllowlistEntriesRepository } from '../allowlists/allowlist-entries.repository.js';
import { HoldingsReader } from '../gates/holdings-reader.js';
import { unreadable, verdictOf, type RuleFinding } from '../gates/rule-finding.js';
import { decide, type JudgedRule } from './decision.js';
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
    const known = new Map(rules.map((rule, at) => [rule, findings[at] ?? unreadable(rule, 'not read')]));
    const listed = await this.listed(admission, on);
    const judged = enabled.map((rule): JudgedRule => {
      const found: RuleFinding[] | undefined = rule.rules?.map((each) => known.get(each)!);
      return { rule, verdict: found ? verdictOf(found) : listed.has(rule.id) ? 'met' : 'notMet' };
    });
    const decision = decide(judged);
    if (!decision.admitted) throw refusalOf(decision, user);
    return { scopes: decision.scopes, lists: decision.lists };
  }

  private async listed({ environmentId, user }: Admission, on: Executor): Promise<Set<string>> {
    const enabled = await this.enabled.get(environmentId, on);
    const ids = enabled.filter(({ kind }) => kind === 'allowlist').map(({ id }) => id);
    return ids.length === 0 ? new Set() : this.entries.matches(environmentId, ids, entryKeysOf(user), on);
  }
}
