import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import {
  UnitOfWork,
  violatedConstraint,
  type EnvironmentId,
  type EventDefinition,
  type Transaction,
  type Work,
} from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import type { ProviderName } from '../types/provider-names.js';
import { providerTypeOf } from '../types/provider-types.js';
import type {
  ProviderCreateRequest,
  ProviderRecord,
  ProvidersResponse,
  ProviderUpdateRequest,
} from './provider.dto.js';
import { ENABLED_ONCE, type ProviderRow } from './provider.entity.js';
import {
  invalidProvider,
  providerEnabledAlready,
  providerIncomplete,
  providerSecretNeeded,
  tooManyProviders,
} from './provider.errors.js';
import {
  PROVIDER_CREATED,
  PROVIDER_DELETED,
  PROVIDER_DISABLED,
  PROVIDER_ENABLED,
  PROVIDER_UPDATED,
} from './provider.events.js';
import { changed, configurationIn, faultsOf, keeps, missingOf, movesSecret } from './provider-rules.js';
import { ProviderCheck } from './provider-check.js';
import { ProviderSecrets } from './provider-secrets.js';
import { ProviderView } from './provider-view.js';
import { ProvidersRepository } from './providers.repository.js';
import { RequiredContacts } from './required-contacts.js';

/** The providers of an environment. Vendors are contacted, and secrets sealed, before anything is locked or written. */
@Injectable()
export class ProvidersService {
  constructor(
    private readonly providers: ProvidersRepository,
    private readonly secrets: ProviderSecrets,
    private readonly checks: ProviderCheck,
    private readonly contacts: RequiredContacts,
    private readonly view: ProviderView,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async list(environmentId: EnvironmentId): Promise<ProvidersResponse> {
    return {
      providers: (await this.providers.listAll(environmentId)).map((row) => this.view.shown(environmentId, row)),
    };
  }

  async get(environmentId: EnvironmentId, id: string): Promise<ProviderRecord> {
    const row = await this.providers.findKnown(environmentId, id);
    if (!row) throw notFound();
    return this.view.shown(environmentId, row);
  }

  /** @throws invalidProvider, tooManyProviders */
  async create(
    environmentId: EnvironmentId,
    provider: ProviderName,
    request: ProviderUpdateRequest & Pick<Partial<ProviderCreateRequest>, 'termsUrl'>,
    actor: Actor,
    work: Work,
  ): Promise<ProviderRecord> {
    const type = providerTypeOf(provider);
    refuse(faultsOf(type, request));
    const id = newId();
    const { clientSecret, termsUrl } = request;
    const sealed = clientSecret ? await this.secrets.seal(clientSecret, { environmentId, id }) : NO_SECRET;
    const agreement = termsUrl === undefined ? null : await this.checks.agreementOf(termsUrl, actor);
    const configuration = changed({}, configurationIn(request));
    const values = { id, provider, configuration, agreement, ...sealed };
    return work.run((tx) => this.insert(environmentId, values, actor, tx));
  }

  /** Without a secret, in the caller's transaction. @throws tooManyProviders */
  add(
    environmentId: EnvironmentId,
    provider: ProviderName,
    configuration: ProviderRow['configuration'],
    actor: Actor,
    tx: Transaction,
  ): Promise<ProviderRecord> {
    return this.insert(
      environmentId,
      { id: newId(), provider, configuration, agreement: null, ...NO_SECRET },
      actor,
      tx,
    );
  }

  /** Takes a locked row, in the caller's transaction. A secret that would move is dropped and the provider disabled. */
  async replace(
    environmentId: EnvironmentId,
    row: ProviderRow,
    configuration: ProviderRow['configuration'],
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const kept = keeps(providerTypeOf(row.provider), row, configuration);
    const staysOn = row.enabledAt !== null && kept.complete;
    const secret = kept.secret ? {} : NO_SECRET;
    if (row.enabledAt !== null && !staysOn) await this.contacts.assertNotNeeded(environmentId, row.provider, tx);
    const set = { configuration, ...secret, ...(!staysOn && { enabledAt: null }) };
    const [after] = await this.providers.update(environmentId, { id: row.id }, set, tx);
    await this.record(environmentId, PROVIDER_UPDATED, row, after!, actor, tx);
    if (row.enabledAt !== null && !staysOn) await this.record(environmentId, PROVIDER_DISABLED, row, after!, actor, tx);
  }

  /** Deletes all records of a type, in the caller's transaction. */
  async removeAll(environmentId: EnvironmentId, provider: ProviderName, actor: Actor, tx: Transaction): Promise<void> {
    const rows = await this.providers.lockAll(environmentId, tx);
    for (const row of rows) if (row.provider === provider) await this.remove(environmentId, row, actor, tx);
  }

  /** @throws notFound, invalidProvider, providerSecretNeeded, providerIncomplete */
  async update(
    environmentId: EnvironmentId,
    id: string,
    request: ProviderUpdateRequest,
    actor: Actor,
  ): Promise<ProviderRecord> {
    const known = await this.providers.findKnown(environmentId, id);
    if (!known) throw notFound();
    refuse(faultsOf(providerTypeOf(known.provider), request));
    const { clientSecret } = request;
    const sealed = clientSecret ? await this.secrets.seal(clientSecret, { environmentId, id }) : NO_SECRET;
    return this.work.run(async (tx) => {
      const before = await this.providers.lockKnown(environmentId, id, tx);
      if (!before) throw notFound();
      const type = providerTypeOf(before.provider);
      const configuration = changed(before.configuration, configurationIn(request));
      const replaces = clientSecret !== undefined;
      if (before.sealedSecret && !replaces && movesSecret(type, before.configuration, configuration)) {
        throw providerSecretNeeded({ payload: { fields: [{ field: 'clientSecret', reason: 'is needed again' }] } });
      }
      const secret = replaces ? sealed : { sealedSecret: before.sealedSecret, masterKeyId: before.masterKeyId };
      if (before.enabledAt) incomplete(missingOf(type, configuration, secret.sealedSecret !== null));
      const [row] = await this.providers.update(environmentId, { id }, { configuration, ...secret }, tx);
      return this.record(environmentId, PROVIDER_UPDATED, before, row!, actor, tx);
    });
  }

  /** @throws notFound, providerNeeded */
  async delete(environmentId: EnvironmentId, id: string, actor: Actor): Promise<void> {
    await this.work.run(async (tx) => {
      const row = await this.providers.lockKnown(environmentId, id, tx);
      if (!row) throw notFound();
      await this.remove(environmentId, row, actor, tx);
    });
  }

  /** Reports everything that is missing. @throws notFound, providerIncomplete, providerEnabledAlready */
  async enable(environmentId: EnvironmentId, id: string, actor: Actor): Promise<ProviderRecord> {
    const known = await this.providers.findKnown(environmentId, id);
    if (!known) throw notFound();
    incomplete([...missingIn(known), ...(await this.checks.faultsOf(known))]);
    return this.switch(environmentId, id, true, actor);
  }

  /** @throws notFound, providerNeeded */
  async disable(environmentId: EnvironmentId, id: string, actor: Actor): Promise<ProviderRecord> {
    return this.switch(environmentId, id, false, actor);
  }

  private async insert(
    environmentId: EnvironmentId,
    values: Parameters<ProvidersRepository['insertWithinLimit']>[1],
    actor: Actor,
    tx: Transaction,
  ): Promise<ProviderRecord> {
    const row = await this.providers.insertWithinLimit(environmentId, values, tx);
    if (!row) throw tooManyProviders();
    return this.record(environmentId, PROVIDER_CREATED, null, row, actor, tx);
  }

  private async remove(environmentId: EnvironmentId, row: ProviderRow, actor: Actor, tx: Transaction): Promise<void> {
    const { id, provider } = row;
    if (row.enabledAt !== null) await this.contacts.assertNotNeeded(environmentId, provider, tx);
    const scope = { environmentId };
    await this.providers.delete(environmentId, { id }, tx);
    const states = { before: this.view.recorded(environmentId, row), after: null, data: { id, provider } };
    await this.changes.record({ scope, actor, event: PROVIDER_DELETED, resource: resourceOf(id), ...states }, tx);
  }

  private async switch(environmentId: EnvironmentId, id: string, on: boolean, actor: Actor): Promise<ProviderRecord> {
    return this.work.run(async (tx) => {
      const before = await this.providers.lockKnown(environmentId, id, tx);
      if (!before) throw notFound();
      if ((before.enabledAt !== null) === on) return this.view.shown(environmentId, before);
      // It may have changed since it was checked.
      if (on) incomplete(missingIn(before));
      else await this.contacts.assertNotNeeded(environmentId, before.provider, tx);
      await this.providers.switch(environmentId, id, on, tx).catch((error: unknown) => {
        throw violatedConstraint(error) === ENABLED_ONCE ? providerEnabledAlready() : error;
      });
      const row = await this.providers.findKnown(environmentId, id, tx);
      return this.record(environmentId, on ? PROVIDER_ENABLED : PROVIDER_DISABLED, before, row!, actor, tx);
    });
  }

  private async record(
    environmentId: EnvironmentId,
    event: EventDefinition,
    before: ProviderRow | null,
    row: ProviderRow,
    actor: Actor,
    tx: Transaction,
  ): Promise<ProviderRecord> {
    const states = {
      before: before && this.view.recorded(environmentId, before),
      after: this.view.recorded(environmentId, row),
    };
    const scope = { environmentId };
    const change = { event, resource: resourceOf(row.id), ...states, data: this.view.described(environmentId, row) };
    await this.changes.record({ scope, actor, ...change }, tx);
    return this.view.shown(environmentId, row);
  }
}

const NO_SECRET = { sealedSecret: null, masterKeyId: null };
const resourceOf = (id: string) => ({ type: 'provider', id });

const missingIn = (row: ProviderRow) =>
  missingOf(providerTypeOf(row.provider), row.configuration, row.sealedSecret !== null);

function refuse(fields: ReturnType<typeof faultsOf>): void {
  if (fields.length > 0) throw invalidProvider({ payload: { fields } });
}

function incomplete(fields: ReturnType<typeof missingOf>): void {
  if (fields.length > 0) throw providerIncomplete({ payload: { fields } });
}
