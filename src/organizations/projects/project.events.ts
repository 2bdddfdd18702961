import { defineEvent } from '../../database/index.js';
import { ProjectPayload } from './project.dto.js';

const OF_PROJECT = { payload: ProjectPayload, ofOrganization: true };

export const PROJECT_CREATED = defineEvent(
  'project.created',
  'A project and its environments were created.',
  OF_PROJECT,
);
export const PROJECT_UPDATED = defineEvent('project.updated', 'A project was renamed.', OF_PROJECT);
export const PROJECT_DELETED = defineEvent(
  'project.deleted',
  'A project was deleted with everything in its environments.',
  OF_PROJECT,
);
