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
import { ChangeLog, type Actor } from '../../organizations/index.js';
import type { CustomField, CustomFieldRequest } from './custom-field.dto.js';
import { CUSTOM_FIELD_KEY, CUSTOM_FIELD_NAME, type CustomFieldRow } from './custom-field.entity.js';
import { cannotSwitchToUnique, customFieldNotUnique, tooManyCustomFields } from './custom-field.errors.js';
import { CUSTOM_FIELD_CREATED, CUSTOM_FIELD_DELETED, CUSTOM_FIELD_UPDATED } from './custom-field.events.js';
import { CUSTOM_FIELD_VALUE_UNIQUE } from './custom-field-value.entity.js';
import { CustomFieldsRepository, type NewCustomField } from './custom-fields.repository.js';
import { assertSoundField } from './field-definition.js';
import { fieldKeyOf } from './field-key.js';

/** The custom fields of an environment. */
@Injectable()
export class CustomFieldsService {
  constructor(
    private readonly fields: CustomFieldsRepository,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async list(environmentId: EnvironmentId): Promise<CustomField[]> {
    return (await this.fields.listAll(environmentId)).map(shown);
  }

  async get(environmentId: EnvironmentId, id: string): Promise<CustomField> {
    const row = await this.fields.find(environmentId, { id });
    if (!row) throw notFound();
    return shown(row);
  }

  /** @throws ApiError 422 of `custom-field.errors.ts` */
  async create(
    environmentId: EnvironmentId,
    request: CustomFieldRequest,
    actor: Actor,
    work: Work,
  ): Promise<CustomField> {
    assertSoundField(request);
    return work.run((tx) => this.insert(environmentId, fieldKeyOf(request.name), request, actor, tx));
  }

  /** Replaces everything except the key. @throws ApiError 422 of `custom-field.errors.ts` */
  async update(
    environmentId: EnvironmentId,
    id: string,
    request: CustomFieldRequest,
    actor: Actor,
  ): Promise<CustomField> {
    assertSoundField(request);
    return this.work.run(async (tx) => {
      const row = await this.held(environmentId, id, tx);
      return this.replace(environmentId, row, request, actor, tx);
    });
  }

  /** The values stay in the users' metadata, where they may have other uses. */
  async delete(environmentId: EnvironmentId, id: string, actor: Actor): Promise<void> {
    await this.work.run((tx) => this.remove(environmentId, id, actor, tx));
  }

  /** Inserts a valid field in the caller's transaction. @throws as `create` */
  async insert(
    environmentId: EnvironmentId,
    key: string,
    request: CustomFieldRequest,
    actor: Actor,
    tx: Transaction,
  ): Promise<CustomField> {
    const field = { id: newId(), key, ...stored(request) };
    const row = await this.fields.insertWithinLimit(environmentId, field, tx).catch(refusalOf);
    if (!row) throw tooManyCustomFields();
    const after = shown(row);
    const change = { event: CUSTOM_FIELD_CREATED, resource: resourceOf(row.id), before: null, after };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    return after;
  }

  /**
   * Replaces fields with valid ones that carry the ids of those they replace, in the caller's transaction. Names may be
   * swapped.
   * @throws as `update`
   */
  async replaceAll(
    environmentId: EnvironmentId,
    requests: ReadonlyMap<string, CustomFieldRequest>,
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const rows: CustomFieldRow[] = [];
    for (const id of requests.keys()) rows.push(await this.held(environmentId, id, tx));
    const renamed = rows.filter(({ id, name }) => requests.get(id)!.name !== name);
    await this.fields.setNamesAside(
      environmentId,
      renamed.map(({ id }) => id),
      tx,
    );
    for (const row of rows) await this.replace(environmentId, row, requests.get(row.id)!, actor, tx);
  }

  /** @param row the previous state for the record, locked by the caller */
  private async replace(
    environmentId: EnvironmentId,
    row: CustomFieldRow,
    request: CustomFieldRequest,
    actor: Actor,
    tx: Transaction,
  ): Promise<CustomField> {
    const { id } = row;
    const changed = stored(request);
    if (row.isUnique !== changed.isUnique) {
      await this.fields.switchUnique(environmentId, row, changed.isUnique, tx).catch(refusalOf);
    }
    const [updated] = await this.fields.update(environmentId, { id }, changed, tx).catch(refusalOf);
    const [before, after] = [shown(row), shown(updated!)];
    const change = { event: CUSTOM_FIELD_UPDATED, resource: resourceOf(id), before, after };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    return after;
  }

  /** Runs in the caller's transaction. */
  async remove(environmentId: EnvironmentId, id: string, actor: Actor, tx: Transaction): Promise<void> {
    const row = await this.held(environmentId, id, tx);
    await this.fields.delete(environmentId, { id }, tx);
    const before = shown(row);
    const change = { event: CUSTOM_FIELD_DELETED, resource: resourceOf(id), before, after: null, data: before };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
  }

  private async held(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<CustomFieldRow> {
    const row = await this.fields.hold(environmentId, id, tx);
    if (!row) throw notFound();
    return row;
  }
}

const resourceOf = (id: string) => ({ type: 'customField', id });

const stored = (request: CustomFieldRequest): Omit<NewCustomField, 'id' | 'key'> => {
  const { name, enabled, required, fieldType, position, validationRules } = request;
  const isUnique = validationRules?.unique === true;
  return { name, enabled, required, fieldType, position, validationRules: validationRules ?? null, isUnique };
};

export function shown(row: CustomFieldRow): CustomField {
  const { id, key, name, enabled, required, fieldType, validationRules, position } = row;
  return { id, key, name, enabled, required, fieldType, ...(validationRules && { validationRules }), position };
}

/** Maps a unique violation to its error. */
function refusalOf(error: unknown): never {
  switch (violatedConstraint(error)) {
    case CUSTOM_FIELD_KEY:
    case CUSTOM_FIELD_NAME:
      throw customFieldNotUnique({ cause: error });
    case CUSTOM_FIELD_VALUE_UNIQUE:
      throw cannotSwitchToUnique({ cause: error });
    default:
      throw error;
  }
}
