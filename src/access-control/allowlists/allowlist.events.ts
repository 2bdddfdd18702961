import { IntegerField, StringField, UuidField } from '../../common/fields/index.js';
import { defineEvent } from '../../database/index.js';
import { Allowlist } from './allowlist.dto.js';
import { AllowlistEntry } from './allowlist-entry.dto.js';

class ImportPayload {
  @UuidField()
  id!: string;

  @StringField()
  name!: string;

  @IntegerField({ description: 'Number of entries added with this batch.' })
  added!: number;
}

const OF_LIST = { payload: Allowlist };
const OF_ENTRY = { payload: AllowlistEntry };

export const ALLOWLIST_CREATED = defineEvent(
  'allowlist.created',
  'An allowlist was created, not enabled yet.',
  OF_LIST,
);
export const ALLOWLIST_UPDATED = defineEvent('allowlist.updated', 'An allowlist was changed.', OF_LIST);
export const ALLOWLIST_ENABLED = defineEvent('allowlist.enabled', 'An allowlist was turned on.', OF_LIST);
export const ALLOWLIST_DISABLED = defineEvent('allowlist.disabled', 'An allowlist was turned off.', OF_LIST);
export const ALLOWLIST_DELETED = defineEvent(
  'allowlist.deleted',
  'An allowlist and its entries were deleted.',
  OF_LIST,
);
export const ENTRIES_IMPORTED = defineEvent(
  'allowlist.entries.imported',
  'An operator imported many allowlist entries from a file: one event per batch.',
  { payload: ImportPayload },
);
export const ENTRY_CREATED = defineEvent('allowlist.entry.created', 'An entry was added to an allowlist.', OF_ENTRY);
export const ENTRY_DELETED = defineEvent(
  'allowlist.entry.deleted',
  'An entry was removed from an allowlist.',
  OF_ENTRY,
);
