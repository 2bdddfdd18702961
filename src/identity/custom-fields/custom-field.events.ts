import { defineEvent } from '../../database/index.js';
import { CustomField } from './custom-field.dto.js';

export const CUSTOM_FIELD_CREATED = defineEvent('customField.created', 'A custom field was added to an environment.', {
  payload: CustomField,
});
export const CUSTOM_FIELD_UPDATED = defineEvent('customField.updated', 'A custom field was changed.', {
  payload: CustomField,
});
export const CUSTOM_FIELD_DELETED = defineEvent('customField.deleted', 'A custom field was deleted.', {
  payload: CustomField,
});
