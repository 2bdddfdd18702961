import { IntegerField, StringListField, UuidField } from '../common/fields/index.js';

/** A change of settings as events show it. */
export class SettingsUpdatedPayload {
  @UuidField()
  environmentId!: string;

  @IntegerField({ description: 'The version of the settings that the change made.' })
  version!: number;

  @StringListField({ description: 'Names of the changed fields, in dot notation, such as `privacy.collectIp`.' })
  fields!: string[];
}
