import type { EnvironmentId } from '../../auth/index.js';
import type { PeopleDirectory } from '../members/people-directory.js';
import type { EnvironmentApiToken } from './api-token.dto.js';

type TokenRow = Omit<EnvironmentApiToken, 'createdBy' | 'projectEnvironmentId' | 'projectEnvironment'> & {
  createdBy: string;
};
type People = Awaited<ReturnType<PeopleDirectory['findPeople']>>;

/** The creators of some tokens, without duplicates. */
export const creatorsOf = (rows: readonly Pick<TokenRow, 'createdBy'>[]): string[] => [
  ...new Set(rows.map(({ createdBy }) => createdBy)),
];

/** A token as responses show it. For a deleted creator, only the id remains. */
export function describeToken(environmentId: EnvironmentId, row: TokenRow, people: People): EnvironmentApiToken {
  return {
    ...row,
    createdBy: people.get(row.createdBy) ?? { id: row.createdBy },
    projectEnvironmentId: environmentId,
    projectEnvironment: { id: environmentId },
  };
}
