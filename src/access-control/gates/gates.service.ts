import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { UnitOfWork, type EnvironmentId, type Work } from '../../database/index.js';
import { RpcNetworks } from '../../networks/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { EnabledRules } from '../decisions/enabled-rules.js';
import { RecordedRules, type RuleKind } from '../rules/recorded-rules.js';
import type { Gate, GateCreateRequest, GatesResponse, GateUpdateRequest } from './gate.dto.js';
import { GATE_NAME, type GateRow } from './gate.entity.js';
import { gateExists, invalidGate, tooManyGates } from './gate.errors.js';
import { GATE_CREATED, GATE_DELETED, GATE_DISABLED, GATE_ENABLED, GATE_UPDATED } from './gate.events.js';
import { shown, termsOf, type GateTerms } from './gate-terms.js';
import { GatesRepository } from './gates.repository.js';

/** The gates of an environment. */
@Injectable()
export class GatesService {
  /** Changes within a caller's transaction. */
  readonly rules: RecordedRules<GateRow, GateTerms, Gate>;

  constructor(
    private readonly gates: GatesRepository,
    private readonly networks: RpcNetworks,
    private readonly work: UnitOfWork,
    enabled: EnabledRules,
    changes: ChangeLog,
  ) {
    this.rules = new RecordedRules(GATE, gates, enabled, changes);
  }

  async list(environmentId: EnvironmentId): Promise<GatesResponse> {
    return { gates: (await this.gates.listAll(environmentId)).map(shown) };
  }

  async get(environmentId: EnvironmentId, id: string): Promise<Gate> {
    const row = await this.gates.find(environmentId, { id });
    if (!row) throw notFound();
    return shown(row);
  }

  /** @throws invalidGate, nftGatingNotSupported, gateExists, tooManyGates */
  async create(environmentId: EnvironmentId, request: GateCreateRequest, actor: Actor, work: Work): Promise<Gate> {
    const terms = termsOf(request);
    await this.assertNetworks(environmentId, terms);
    return work.run((tx) => this.rules.insert(environmentId, terms, actor, tx));
  }

  /** Changes only the fields in the request. @throws as `create` */
  async update(environmentId: EnvironmentId, id: string, request: GateUpdateRequest, actor: Actor): Promise<Gate> {
    const current = await this.get(environmentId, id);
    if (request.rules) await this.assertNetworks(environmentId, termsOf({ ...current, ...request }));
    return this.work.run(async (tx) => {
      const row = await this.gates.lockToRename(environmentId, { id }, tx);
      if (!row) throw notFound();
      return this.rules.replace(environmentId, id, termsOf({ ...shown(row), ...request }), actor, tx);
    });
  }

  async delete(environmentId: EnvironmentId, id: string, actor: Actor): Promise<void> {
    await this.work.run((tx) => this.rules.remove(environmentId, id, actor, tx));
  }

  async setEnabled(environmentId: EnvironmentId, id: string, isEnabled: boolean, actor: Actor): Promise<Gate> {
    return this.work.run((tx) => this.rules.switch(environmentId, id, isEnabled, actor, tx));
  }

  /** @throws invalidGate when a rule names a network that is neither in the catalogue nor added by the organization */
  private async assertNetworks(environmentId: EnvironmentId, { rules }: GateTerms): Promise<void> {
    const additionalMessages: string[] = [];
    for (const [at, { chain, address }] of rules.entries()) {
      const network = await this.networks.find(environmentId, { chain, networkId: address.networkId });
      if (!network) additionalMessages.push(`rules[${at}].address.networkId: no network of ${chain} has this number`);
    }
    if (additionalMessages.length > 0) throw invalidGate({ payload: { additionalMessages } });
  }
}

const GATE: RuleKind<GateRow, GateTerms, Gate> = {
  type: 'gate',
  events: {
    created: GATE_CREATED,
    updated: GATE_UPDATED,
    enabled: GATE_ENABLED,
    disabled: GATE_DISABLED,
    deleted: GATE_DELETED,
  },
  nameIndex: GATE_NAME,
  isTaken: gateExists,
  isFull: tooManyGates,
  termsOf: ({ name, outcome, scope, rules }) => ({ name, outcome, scope, rules }),
  shown,
};
