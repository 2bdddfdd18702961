import { defineError } from '../../common/errors/index.js';

/** Per organization; low enough for an unpaginated list. */
export const MAX_PROJECTS = 50;

export const projectNameAlreadyExists = defineError({
  code: 'project_name_already_exists',
  status: 422,
  message: 'Another project of the organization has this name.',
  hint: 'Choose a name that no other project of the organization has.',
  cause: 'Names of projects are unique within their organization; upper and lower case count as different.',
  fix: 'List the projects of the organization and choose another name.',
});

export const tooManyProjects = defineError({
  code: 'too_many_projects_for_organization',
  status: 422,
  message: 'The organization has reached the limit of projects.',
  hint: 'Delete a project that is no longer used.',
  cause: `An organization has at most ${MAX_PROJECTS} projects.`,
  fix: 'Delete a project, or create another organization.',
});

export const cannotDeleteLastProject = defineError({
  code: 'cannot_delete_last_project',
  status: 422,
  message: 'The last project of an organization cannot be deleted.',
  hint: 'Create another project first.',
  cause: 'The organization has no other project.',
  fix: 'Create the project that takes its place, then delete this one.',
});
