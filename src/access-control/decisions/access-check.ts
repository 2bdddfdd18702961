import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, type EnvironmentId, type Executor } from '../../database/index.js';
import {
  PreparationNeeded,
  SignInCheck,
  SignInChecks,
  Undecided,
  type Admission,
  type FullUser,
} from '../../identity/index.js';
import { AllowlistEntriesRepository } from '../allowlists/allowlist-entries.repository.js';
import { HoldingsReader } from '../gates/holdings-reader.js';
import { REPEATED_WITHIN_MS } from '../repeated.js';
import { AccessGrantsRepository, inOrder } from './access-grants.repository.js';
import { decide, type Decision } from './decision.js';
import { judge } from './judgement.js';
import { EnabledRules } from './enabled-rules.js';
import { entryKeysOf, walletsOf } from './known-identities.js';
import { refusalOf } from './refusal.js';
import { StandingsRepository } from './standings.repository.js';

/** Evaluates the enabled gates and allowlists of an environment before a user receives tokens. */
@Injectable()
export class AccessCheck extends SignInCheck implements OnModuleInit {
  constructor(
    private readonly checks: SignInChecks,
    private readonly enabled: EnabledRules,
    private readonly holdings: HoldingsReader,
    private readonly standings: StandingsRepository,
    private readonly grants: AccessGrantsRepository,
    private readonly entries: AllowlistEntriesRepository,
    private readonly database: Database,
  ) {
    super();
  }

  onModuleInit(): void {
    this.checks.register(this);
  }

  override async check(admission: Admission, on: Executor): Promise<Undecided | null> {
    const { environmentId, user, prepared } = admission;
    const enabled = await this.enabled.get(environmentId, on);
    if (enabled.length === 0) return null;
    const wallets = walletsOf(user);
    const rules = enabled.flatMap((each) => each.rules ?? []);
    const validForMs = prepared ? 0 : REPEATED_WITHIN_MS;
    const findings = rules.map((rule) => this.holdings.recall(environmentId, rule, wallets, validForMs));
    if (!prepared && findings.includes(null)) {
      // Chains are read outside the transaction, which holds row locks and a connection.
      throw new PreparationNeeded(() => this.holdings.prepare(environmentId, rules, wallets));
    }
    const decideBy = (listed: ReadonlySet<string>): Granted => grantsOf(decide(judge(enabled, findings, listed)), user);
    const lists = enabled.filter(({ kind }) => kind === 'allowlist').map(({ id }) => id);
    if (lists.length === 0) {
      const granted = decideBy(new Set());
      return new Undecided(() => this.keep(admission, granted, on));
    }
    return new Undecided(async () => {
      const asked = { allowlistIds: lists, keys: entryKeysOf(user) };
      const { listed, given } = await this.standings.read(environmentId, user.id, asked, on);
      const granted = decideBy(listed);
      const isSame = given !== null && isDeepStrictEqual(given, inOrder(granted.scopes));
      return isSame ? granted : this.keep(admission, granted, on);
    });
  }

  override async listsOf(environmentId: EnvironmentId, user: FullUser): Promise<string[]> {
    const enabled = await this.enabled.get(environmentId, this.database);
    const lists = enabled.filter(({ kind }) => kind === 'allowlist');
    if (lists.length === 0) return [];
    const ids = lists.map(({ id }) => id);
    const matching = await this.entries.matchingKeys(environmentId, ids, entryKeysOf(user));
    const listed = new Set(matching.map(({ allowlistId }) => allowlistId));
    return lists.filter(({ id }) => listed.has(id)).map(({ name }) => name);
  }

  /** In a meeting nobody is granted anything yet. */
  private async keep({ environmentId, user, occasion }: Admission, granted: Granted, on: Executor): Promise<Granted> {
    if (occasion === 'meeting') return granted;
    await this.grants.keep(environmentId, user.id, granted.scopes, on);
    return granted;
  }
}

type Granted = Pick<Extract<Decision, { admitted: true }>, 'scopes' | 'lists'>;

function grantsOf(decision: Decision, user: FullUser): Granted {
  if (!decision.admitted) throw refusalOf(decision, user);
  return { scopes: decision.scopes, lists: decision.lists };
}
