import { defineEvent } from '../../database/index.js';
import { Gate } from './gate.dto.js';

const OF_GATE = { payload: Gate };

export const GATE_CREATED = defineEvent('gate.created', 'A gate was made, not enabled yet.', OF_GATE);
export const GATE_UPDATED = defineEvent('gate.updated', 'A gate changed.', OF_GATE);
export const GATE_ENABLED = defineEvent('gate.enabled', 'A gate decides from now on.', OF_GATE);
export const GATE_DISABLED = defineEvent('gate.disabled', 'A gate decides no more.', OF_GATE);
export const GATE_DELETED = defineEvent('gate.deleted', 'A gate was deleted.', OF_GATE);
