import { IntegerField, StringField, UuidField } from '../../common/fields/index.js';
import { defineEvent } from '../../database/index.js';
import { Allowlist } from './allowlist.dto.js';
import { AllowlistEntry } from './allowlist-entry.dto.js';

class ImportPayload {
  @UuidField()
  id!: string;

  @StringField()
  name!: string;

  @IntegerField({ description: 'Entries that came in with this batch.' })
  added!: number;
}

const OF_LIST = { payload: Allowlist };
const OF_ENTRY = { payload: AllowlistEntry };

export const ALLOWLIST_CREATED = defineEvent('allowlist.created', 'An allowlist was made, not enabled yet.', OF_LIST);
export const ALLOWLIST_UPDATED = defineEvent('allowlist.updated', 'An allowlist changed.', OF_LIST);
export const ALLOWLIST_ENABLED = defineEvent('allowlist.enabled', 'An allowlist decides from now on.', OF_LIST);
export const ALLOWLIST_DISABLED = defineEvent('allowlist.disabled', 'An allowlist decides no more.', OF_LIST);
export const ALLOWLIST_DELETED = defineEvent(
  'allowlist.deleted',
  'An allowlist was deleted, and its entries.',
  OF_LIST,
);
export const ENTRIES_IMPORTED = defineEvent(
  'allowlist.entries.imported',
  'An operator put many people on an allowlist from a file: told once for each batch.',
  { payload: ImportPayload },
);
export const ENTRY_CREATED = defineEvent('allowlist.entry.created', 'Somebody was put on an allowlist.', OF_ENTRY);
export const ENTRY_DELETED = defineEvent('allowlist.entry.deleted', 'Somebody was taken off an allowlist.', OF_ENTRY);
