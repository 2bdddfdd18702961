import { defineEvent } from '../../database/index.js';
import { Gate } from './gate.dto.js';

const OF_GATE = { payload: Gate };

export const GATE_CREATED = defineEvent('gate.created', 'A gate was created, not enabled yet.', OF_GATE);
export const GATE_UPDATED = defineEvent('gate.updated', 'A gate was changed.', OF_GATE);
export const GATE_ENABLED = defineEvent('gate.enabled', 'A gate was turned on.', OF_GATE);
export const GATE_DISABLED = defineEvent('gate.disabled', 'A gate was turned off.', OF_GATE);
export const GATE_DELETED = defineEvent('gate.deleted', 'A gate was deleted.', OF_GATE);
