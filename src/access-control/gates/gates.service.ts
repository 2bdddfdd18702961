import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import {
  UnitOfWork,
  violatedConstraint,
  type EnvironmentId,
  type Transaction,
  type Work,
} from '../../database/index.js';
import { RpcNetworks } from '../../networks/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { EnabledRules } from '../decisions/enabled-rules.js';
import type { Gate, GateCreateRequest, GatesResponse, GateUpdateRequest } from './gate.dto.js';
import { GATE_NAME, type GateRow } from './gate.entity.js';
import { gateExists, invalidGate, tooManyGates } from './gate.errors.js';
import { GATE_CREATED, GATE_DELETED, GATE_DISABLED, GATE_ENABLED, GATE_UPDATED } from './gate.events.js';
import { shown, termsOf, type GateTerms } from './gate-terms.js';
import { GatesRepository } from './gates.repository.js';

/** The gates of an environment. */
@Injectable()
export class GatesService {
  constructor(
    private readonly gates: GatesRepository,
    private readonly networks: RpcNetworks,
    private readonly enabled: EnabledRules,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

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
    return work.run((tx) => this.insert(environmentId, terms, actor, tx));
  }

  /** Changes only the fields in the request. @throws as `create` */
  async update(environmentId: EnvironmentId, id: string, request: GateUpdateRequest, actor: Actor): Promise<Gate> {
    const current = await this.get(environmentId, id);
    if (request.rules) await this.assertNetworks(environmentId, termsOf({ ...current, ...request }));
    return this.work.run(async (tx) => {
      const row = await this.gates.lockToRename(environmentId, { id }, tx);
      if (!row) throw notFound();
      return this.replace(environmentId, id, termsOf({ ...shown(row), ...request }), actor, tx);
    });
  }

  async delete(environmentId: EnvironmentId, id: string, actor: Actor): Promise<void> {
    await this.work.run((tx) => this.remove(environmentId, id, actor, tx));
  }

  async setEnabled(environmentId: EnvironmentId, id: string, isEnabled: boolean, actor: Actor): Promise<Gate> {
    return this.work.run(async (tx) => {
      const row = await this.gates.lock(environmentId, { id }, tx);
      if (!row) throw notFound();
      if (!(await this.gates.switch(environmentId, id, isEnabled, tx))) return shown(row);
      const after = shown((await this.gates.find(environmentId, { id }, tx))!);
      const event = isEnabled ? GATE_ENABLED : GATE_DISABLED;
      const change = { event, resource: resourceOf(id), before: shown(row), after };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
      tx.afterCommit(() => this.enabled.forget(environmentId));
      return after;
    });
  }

  /** Takes validated terms, in the caller's transaction. @throws gateExists, tooManyGates */
  async insert(environmentId: EnvironmentId, terms: GateTerms, actor: Actor, tx: Transaction): Promise<Gate> {
    const row = await this.gates.insertWithinLimit(environmentId, { id: newId(), ...terms }, tx).catch(isTaken);
    if (!row) throw tooManyGates();
    const after = shown(row);
    const change = { event: GATE_CREATED, resource: resourceOf(row.id), before: null, after };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    return after;
  }

  /** Takes validated terms, in the caller's transaction. The same terms are no change. @throws gateExists */
  async replace(
    environmentId: EnvironmentId,
    id: string,
    { scope, ...terms }: GateTerms,
    actor: Actor,
    tx: Transaction,
  ): Promise<Gate> {
    const row = await this.gates.lock(environmentId, { id }, tx);
    if (!row) throw notFound();
    if (isDeepStrictEqual(heldBy(row), { scope, ...terms })) return shown(row);
    await this.gates.rescope(environmentId, id, scope, tx);
    const [updated] = await this.gates.update(environmentId, { id }, terms, tx).catch(isTaken);
    const after = shown(updated!);
    const change = { event: GATE_UPDATED, resource: resourceOf(id), before: shown(row), after };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    tx.afterCommit(() => this.enabled.forget(environmentId));
    return after;
  }

  /** Runs in the caller's transaction. @throws notFound */
  async remove(environmentId: EnvironmentId, id: string, actor: Actor, tx: Transaction): Promise<void> {
    const row = await this.gates.lock(environmentId, { id }, tx);
    if (!row) throw notFound();
    await this.gates.delete(environmentId, { id }, tx);
    const before = shown(row);
    const change = { event: GATE_DELETED, resource: resourceOf(id), before, after: null, data: before };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    tx.afterCommit(() => this.enabled.forget(environmentId));
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

const heldBy = ({ name, outcome, scope, rules }: GateRow): GateTerms => ({ name, outcome, scope, rules });
const resourceOf = (id: string) => ({ type: 'gate', id });

/** The unique index decides between concurrent gates with the same name. */
function isTaken(error: unknown): never {
  throw violatedConstraint(error) === GATE_NAME ? gateExists({ cause: error }) : error;
}
