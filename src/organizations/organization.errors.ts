import { defineError } from '../common/errors/index.js';

/** Per person, founded or joined; low enough for an unpaginated list. */
export const MAX_ORGANIZATIONS = 50;

export const organizationNameAlreadyExists = defineError({
  code: 'organization_name_already_exists',
  status: 422,
  message: 'You belong to another organization with this name.',
  hint: 'Choose a name that none of your other organizations has.',
  cause: 'The organizations of a person differ in their names; upper and lower case count as different.',
  fix: 'List your organizations and choose another name.',
});

export const tooManyOrganizations = defineError({
  code: 'too_many_organizations_for_user',
  status: 422,
  message: `A person can belong to at most ${MAX_ORGANIZATIONS} organizations.`,
  hint: 'Leave an organization first: one of its admins can remove you.',
  cause: `The person creating or joining the organization already belongs to ${MAX_ORGANIZATIONS}.`,
  fix: 'Have yourself removed from organizations that you no longer need.',
});

export const organizationsClosed = defineError({
  code: 'organizations_closed',
  status: 422,
  message: 'Only the operator can create organizations in this deployment.',
  hint: 'Ask the operator to create one, or an owner to invite you.',
  cause: '`ORGANIZATIONS` is `closed` in this deployment, which is the default in production.',
  fix: 'Operators: `npm run cli -- organizations create`, or set `ORGANIZATIONS=open`.',
});
