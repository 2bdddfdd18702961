import type { EnvironmentId } from '../../auth/index.js';
import type { PeopleDirectory } from '../members/people-directory.js';
import type { EnvironmentApiToken } from './api-token.dto.js';

type TokenRow = Omit<EnvironmentApiToken, 'createdBy' | 'projectEnvironmentId' | 'projectEnvironment'> & {
  createdBy: string;
};
type People = Awaited<ReturnType<PeopleDirectory['findPeople']>>;

/** The people to look up for some tokens, each once. */
export const creatorsOf = (rows: readonly Pick<TokenRow, 'createdBy'>[]): string[] => [
  ...new Set(rows.map(({ createdBy }) => createdBy)),
];

/** A token as answers show it. Of a creator who is gone, the id remains. */
export function describeToken(environmentId: EnvironmentId, row: TokenRow, people: People): EnvironmentApiToken {
  return {
    ...row,
    createdBy: people.get(row.createdBy) ?? { id: row.createdBy },
    projectEnvironmentId: environmentId,
    projectEnvironment: { id: environmentId },
  };
}
