import { UuidField } from '../../common/fields/index.js';
import { defineEvent } from '../../database/index.js';

class SettingsUpdatedPayload {
  @UuidField({ description: 'The environment whose settings they are.' })
  id!: string;
}

export const SETTINGS_UPDATED = defineEvent(
  'environment.settings.updated',
  'Settings of an environment changed; read them to know what they are now.',
  { payload: SettingsUpdatedPayload },
);
