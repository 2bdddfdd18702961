import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import {
  UnitOfWork,
  type EnvironmentId,
  type EventDefinition,
  type Transaction,
  type Work,
} from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { EnabledProviders } from '../../providers/index.js';
import { Exchange, type ExchangeCreateRequest, type ExchangeResponse } from './exchange.dto.js';
import type { ExchangeRow } from './exchange.entity.js';
import { exchangeCannotBeEnabled, invalidExchangeProvider } from './exchange.errors.js';
import { EXCHANGE_CREATED, EXCHANGE_DELETED, EXCHANGE_DISABLED, EXCHANGE_ENABLED } from './exchange.events.js';
import { EXCHANGE_PROVIDERS, faultsOf, missingScopes, type FieldFault } from './exchange-providers.js';
import { ExchangesRepository } from './exchanges.repository.js';

/** Exchanges of an environment. */
@Injectable()
export class ExchangesService {
  constructor(
    private readonly exchanges: ExchangesRepository,
    private readonly providers: EnabledProviders,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async list(environmentId: EnvironmentId): Promise<ExchangeResponse> {
    return { exchanges: (await this.exchanges.listAll(environmentId)).map(shown) };
  }

  async get(environmentId: EnvironmentId, id: string): Promise<Exchange> {
    const row = await this.exchanges.find(environmentId, { id });
    if (!row) throw notFound();
    return shown(row);
  }

  /** @throws invalidExchangeProvider, duplicateExists */
  async create(
    environmentId: EnvironmentId,
    request: ExchangeCreateRequest,
    actor: Actor,
    work: Work,
  ): Promise<Exchange> {
    const fields = faultsOf(request);
    if (fields.length > 0) throw invalidExchangeProvider({ payload: { fields } });
    const { exchange, onRampProvider = null } = request;
    const values = { id: newId(), exchange, socialProvider: EXCHANGE_PROVIDERS[exchange].social, onRampProvider };
    return work.run(async (tx) => {
      const row = await this.exchanges.insert(environmentId, values, tx);
      return this.record(environmentId, EXCHANGE_CREATED, null, row, actor, tx);
    });
  }

  async delete(environmentId: EnvironmentId, id: string, actor: Actor): Promise<void> {
    await this.work.run(async (tx) => {
      const row = await this.exchanges.lock(environmentId, { id }, tx);
      if (!row) throw notFound();
      await this.exchanges.delete(environmentId, { id }, tx);
      const states = { before: shown(row), after: null, data: { id, exchange: row.exchange } };
      const change = { event: EXCHANGE_DELETED, resource: { type: 'exchange', id }, ...states };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    });
  }

  /** Reports everything that is missing at once. @throws notFound, exchangeCannotBeEnabled */
  async enable(environmentId: EnvironmentId, id: string, actor: Actor): Promise<Exchange> {
    const row = await this.exchanges.find(environmentId, { id });
    if (!row) throw notFound();
    const fields = await this.missingOf(environmentId, row);
    if (fields.length > 0) throw exchangeCannotBeEnabled({ payload: { fields } });
    return this.switch(environmentId, id, true, actor);
  }

  disable(environmentId: EnvironmentId, id: string, actor: Actor): Promise<Exchange> {
    return this.switch(environmentId, id, false, actor);
  }

  private async missingOf(environmentId: EnvironmentId, row: ExchangeRow): Promise<FieldFault[]> {
    const { exchange, socialProvider, onRampProvider } = row;
    const social = await this.providers.find(environmentId, socialProvider);
    const faults: FieldFault[] = social
      ? missingScopes(exchange, social.configuration.scopes).map((scope) => ({
          field: 'socialProvider',
          reason: `the provider ${socialProvider} does not ask for the scope ${scope}`,
        }))
      : [{ field: 'socialProvider', reason: `the provider ${socialProvider} is not enabled` }];
    if (onRampProvider && !(await this.providers.find(environmentId, onRampProvider))) {
      faults.push({ field: 'onRampProvider', reason: `the provider ${onRampProvider} is not enabled` });
    }
    return faults;
  }

  private async switch(environmentId: EnvironmentId, id: string, on: boolean, actor: Actor): Promise<Exchange> {
    return this.work.run(async (tx) => {
      const before = await this.exchanges.lock(environmentId, { id }, tx);
      if (!before) throw notFound();
      if ((before.enabledAt !== null) === on) return shown(before);
      await this.exchanges.switch(environmentId, id, on, tx);
      const row = await this.exchanges.find(environmentId, { id }, tx);
      return this.record(environmentId, on ? EXCHANGE_ENABLED : EXCHANGE_DISABLED, before, row!, actor, tx);
    });
  }

  private async record(
    environmentId: EnvironmentId,
    event: EventDefinition,
    before: ExchangeRow | null,
    row: ExchangeRow,
    actor: Actor,
    tx: Transaction,
  ): Promise<Exchange> {
    const after = shown(row);
    const change = { event, resource: { type: 'exchange', id: row.id }, before: before && shown(before), after };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    return after;
  }
}

export const shown = ({ id, exchange, enabledAt, socialProvider, onRampProvider }: ExchangeRow): Exchange => ({
  id,
  exchange,
  enabledAt,
  socialProvider,
  ...(onRampProvider && { onRampProvider }),
});
