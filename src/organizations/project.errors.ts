import { defineError } from '../common/errors/index.js';

export const projectNameAlreadyExists = defineError({
  code: 'project_name_already_exists',
  status: 422,
  message: 'Another project of the organization has this name.',
  hint: 'Choose a name that no other project of the organization has.',
  cause: 'Names of projects are unique within their organization; upper and lower case count as different.',
  fix: 'List the projects of the organization and choose another name.',
});
