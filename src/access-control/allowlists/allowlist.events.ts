import { defineEvent } from '../../database/index.js';
import { Allowlist } from './allowlist.dto.js';
import { AllowlistEntry } from './allowlist-entry.dto.js';

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
export const ENTRY_CREATED = defineEvent('allowlist.entry.created', 'Somebody was put on an allowlist.', OF_ENTRY);
export const ENTRY_DELETED = defineEvent('allowlist.entry.deleted', 'Somebody was taken off an allowlist.', OF_ENTRY);
