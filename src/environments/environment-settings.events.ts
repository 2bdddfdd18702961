import { defineEvent } from '../database/index.js';
import { SettingsUpdatedPayload } from './environment-settings.dto.js';

export const SETTINGS_UPDATED = defineEvent(
  'environment.settings.updated',
  'Settings of the environment were changed. The event names the fields; read their values with getEnvironmentById.',
  { payload: SettingsUpdatedPayload },
);
