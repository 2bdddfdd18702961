import { defineEvent } from '../database/index.js';

export const PROJECT_UPDATED = defineEvent('project.updated', 'A project was renamed.');
