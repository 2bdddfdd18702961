import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { ClientSettingsSource, ClientSettingsSources, type ClientSettingsSections } from '../../environments/index.js';
import { RecentLookups } from '../../common/recent-lookups.js';
import type { MissingField } from './missing-field.dto.js';
import type { CustomFieldRow } from './custom-field.entity.js';
import { CustomFieldsRepository } from './custom-fields.repository.js';
import { assertFieldValues } from './field-values.js';

const MAX_ENVIRONMENTS = 1_000;
const MAX_AGE_MS = 1_000;

/** The custom fields for end users: in the client settings, and as rules for their input. */
@Injectable()
export class KnownCustomFields extends ClientSettingsSource {
  private readonly recent: RecentLookups<EnvironmentId, CustomFieldRow[]>;

  constructor(fields: CustomFieldsRepository, sources: ClientSettingsSources) {
    super();
    sources.register(this);
    this.recent = new RecentLookups({
      max: MAX_ENVIRONMENTS,
      ttlMs: MAX_AGE_MS,
      find: (environmentId) => fields.listAll(environmentId),
    });
  }

  /** @throws invalidMetadataValue, with rules at most a second old */
  async assertValues(
    environmentId: EnvironmentId,
    metadata: Record<string, unknown> | null | undefined,
  ): Promise<void> {
    if (metadata) await assertFieldValues((await this.recent.get(environmentId)) ?? [], metadata);
  }

  override async read(environmentId: EnvironmentId): Promise<ClientSettingsSections> {
    const fields = (await this.recent.get(environmentId)) ?? [];
    return { customFields: fields.filter(({ enabled }) => enabled).map((field) => ({ ...asked(field) })) };
  }
}

/** The form in which fields are requested; `refresh_asked_fields` in the database builds the same. */
function asked({ key, name, required, isUnique, fieldType, validationRules, position }: CustomFieldRow): MissingField {
  return {
    name: key,
    label: name,
    type: 'custom',
    enabled: true,
    required,
    unique: isUnique,
    verify: false,
    validationType: fieldType,
    ...(validationRules && { validationRules }),
    position,
  };
}
