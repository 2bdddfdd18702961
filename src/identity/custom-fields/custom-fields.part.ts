import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import {
  EnvironmentPart,
  EnvironmentParts,
  type LeftItem,
  type PartChange,
  type PartState,
} from '../../environments/index.js';
import type { Actor } from '../../organizations/index.js';
import type { CustomField, CustomFieldRequest } from './custom-field.dto.js';
import { CustomFieldsRepository, MAX_CUSTOM_FIELDS } from './custom-fields.repository.js';
import { CustomFieldsService, shown } from './custom-fields.service.js';
import { assertSoundField } from './field-definition.js';

/** The custom fields of an environment by their keys. The values of users belong to the environment and stay. */
@Injectable()
export class CustomFieldsPart extends EnvironmentPart {
  override readonly name = 'customFields';

  constructor(
    private readonly fields: CustomFieldsRepository,
    private readonly service: CustomFieldsService,
    parts: EnvironmentParts,
  ) {
    super();
    parts.register(this);
  }

  override get most(): number {
    return MAX_CUSTOM_FIELDS;
  }

  override async read(environmentId: EnvironmentId, tx: Transaction): Promise<PartState> {
    const rows = await this.fields.lockAll(environmentId, tx);
    return new Map(rows.map((row) => [row.key, termsOf(shown(row))]));
  }

  /** Fields that cannot become unique, or whose name a field has that stays in the target. */
  override async refusals(
    environmentId: EnvironmentId,
    changes: readonly PartChange[],
    tx: Transaction,
  ): Promise<LeftItem[]> {
    const present = await this.fields.lockAll(environmentId, tx);
    const staying = present.filter(({ key }) => changes.every((change) => change.key !== key));
    const taken = new Set(staying.map(({ name }) => name));
    const unique = new Set(present.filter(({ isUnique }) => isUnique).map(({ key }) => key));
    const wanted = changes.flatMap(({ key, after }) => (after ? [{ key, request: after as CustomFieldRequest }] : []));
    const switched = wanted.filter(({ key, request }) => request.validationRules?.unique && !unique.has(key));
    const keys = switched.map(({ key }) => key);
    const shared = new Set(await this.fields.listShared(environmentId, keys, tx));
    return wanted.flatMap(({ key, request: { name } }) => {
      if (taken.has(name)) return [{ key, reason: 'has the name of a field that stays in the target' }];
      return shared.has(key) ? [{ key, reason: 'cannot be unique: users of the target share a value' }] : [];
    });
  }

  /** Removals come first, to make room and free names for additions. */
  override async apply(
    environmentId: EnvironmentId,
    changes: readonly PartChange[],
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    for (const { after } of changes) if (after) assertSoundField(after as CustomFieldRequest);
    const ids = new Map((await this.fields.lockAll(environmentId, tx)).map(({ id, key }) => [key, id]));
    for (const { action, key } of changes) {
      if (action === 'remove') await this.service.remove(environmentId, ids.get(key)!, actor, tx);
    }
    const changed = changes.filter(({ action }) => action === 'change');
    const requests = new Map(changed.map(({ key, after }) => [ids.get(key)!, after as CustomFieldRequest]));
    await this.service.replaceAll(environmentId, requests, actor, tx);
    for (const { action, key, after } of changes) {
      if (action === 'add') await this.service.insert(environmentId, key, after as CustomFieldRequest, actor, tx);
    }
  }
}

const termsOf = ({ id: _id, key: _key, ...terms }: CustomField): CustomFieldRequest => terms;
