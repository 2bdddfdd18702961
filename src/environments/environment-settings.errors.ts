import { defineError } from '../common/errors/index.js';

export const settingsChanged = defineError({
  code: 'settings_changed',
  status: 409,
  message: 'Somebody else changed the same settings since they were read.',
  hint: 'Read the settings again and repeat the change; payload.fields names what was changed.',
  cause:
    'The request carried `If-Match` with the version that its sender had read, and a field that it changes was changed after that version, or the version is too old to compare.',
  fix: 'Read the settings, look at the fields in `payload.fields`, and send the change again with the new version. Nothing was written.',
});

export const settingsTooLarge = defineError({
  code: 'settings_too_large',
  status: 422,
  message: 'The settings would exceed the size limit.',
  hint: 'Shorten lists and texts: all settings together can have 256 KB.',
  cause: 'All settings of an environment together, written as JSON, can have at most 256 KB.',
  fix: 'Remove what is not needed. Nothing was written.',
});

export const settingNotAvailable = defineError({
  code: 'setting_not_available',
  status: 422,
  message: 'The settings ask for something that is not available.',
  hint: 'See payload.fields for each setting and what is wrong with it.',
  cause:
    'A setting would have no effect: this service does not implement it, something that it needs is missing, it contradicts another setting, or it has its own operations, such as those of providers.',
  fix: 'Follow `payload.fields` for each setting, or leave the setting off. Nothing was written.',
});
