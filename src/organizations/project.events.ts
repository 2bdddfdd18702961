import { defineEvent } from '../database/index.js';
import { ProjectPayload } from './project.dto.js';

const OF_PROJECT = { payload: ProjectPayload, ofOrganization: true };

export const PROJECT_UPDATED = defineEvent('project.updated', 'A project was renamed.', OF_PROJECT);
