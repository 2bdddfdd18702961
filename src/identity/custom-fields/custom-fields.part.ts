import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { EnvironmentPart, EnvironmentParts, type PartChange, type PartState } from '../../environments/index.js';
import type { Actor } from '../../organizations/index.js';
import type { CustomField, CustomFieldRequest } from './custom-field.dto.js';
import { CustomFieldsRepository } from './custom-fields.repository.js';
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

  override async read(environmentId: EnvironmentId, tx: Transaction): Promise<PartState> {
    const rows = await this.fields.lockAll(environmentId, tx);
    return new Map(rows.map((row) => [row.key, termsOf(shown(row))]));
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
