import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { notFound, validationFailed } from '../../common/errors/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { UserReader } from '../../identity/index.js';
import { walletsOf, walletsAt } from '../decisions/known-identities.js';
import type { GateTrial, GateTrialQuery, GateTrialRule } from './gate-trial.dto.js';
import { GatesRepository } from './gates.repository.js';
import { HoldingsReader } from './holdings-reader.js';
import { verdictOf, type HeldWallet, type RuleFinding } from './rule-finding.js';

const ONE = { field: 'userId', message: 'give userId, address, or both' };

/** Dry run: how a gate would decide about a user, and why. */
@Injectable()
export class GateTrialService {
  constructor(
    private readonly gates: GatesRepository,
    private readonly users: UserReader,
    private readonly holdings: HoldingsReader,
    private readonly clock: Clock,
  ) {}

  /** @throws notFound, validationFailed */
  async judge(environmentId: EnvironmentId, id: string, query: GateTrialQuery): Promise<GateTrial> {
    const gate = await this.gates.find(environmentId, { id });
    if (!gate) throw notFound();
    const wallets = await this.walletsIn(environmentId, query);
    const findings = await this.holdings.read(environmentId, gate.rules, wallets);
    return { gateId: id, verdict: verdictOf(findings), rules: findings.map((finding) => this.shown(finding)) };
  }

  private async walletsIn(environmentId: EnvironmentId, { userId, address }: GateTrialQuery): Promise<HeldWallet[]> {
    if (userId === undefined && address === undefined) throw validationFailed({ payload: { fields: [ONE] } });
    const own = userId === undefined ? [] : walletsOf(await this.users.getFull(environmentId, userId));
    const more = address === undefined ? [] : walletsAt(address);
    return [...own, ...more.filter(({ address: at }) => own.every((wallet) => wallet.address !== at))];
  }

  private shown(finding: RuleFinding): GateTrialRule {
    const { rule, verdict, threshold, total, decimals, holdings, blockNumber, readAt, reason } = finding;
    return {
      ...{ rule, verdict },
      ...(threshold !== null && { threshold: String(threshold) }),
      ...(total !== null && { total: String(total) }),
      ...(decimals !== null && { decimals }),
      holdings: holdings.map(({ address, amount }) => ({ address, amount: String(amount) })),
      ...(blockNumber !== null && { blockNumber: String(blockNumber) }),
      ...(readAt !== null && { ageSeconds: Math.round((this.clock.timestamp() - readAt) / 1000) }),
      ...(reason !== undefined && { reason }),
    };
  }
}
