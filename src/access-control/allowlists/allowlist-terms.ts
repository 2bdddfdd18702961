import { isVisible } from '../../common/visible-text.js';
import { outcomeProblem, type AccessOutcome } from '../outcome.js';
import type { Allowlist, PostAllowlistsRequest } from './allowlist.dto.js';
import type { AllowlistRow } from './allowlist.entity.js';
import { invalidAllowlist } from './allowlist.errors.js';

/** The configurable fields of an allowlist, without its entries and enabled state. */
export interface AllowlistTerms {
  name: string;
  outcome: AccessOutcome;
  scope: string | null;
}

/** @throws invalidAllowlist */
export function termsOf({ name = '', scope, outcome }: PostAllowlistsRequest): AllowlistTerms {
  const terms = { name: name.trim(), scope: scope ?? null, outcome: outcome ?? (scope ? 'scope' : 'siteAccess') };
  const problems = [
    ...(!isVisible(terms.name) ? ['name: a list needs a name'] : []),
    ...[outcomeProblem(terms.outcome, terms.scope)].filter((problem) => problem !== null),
  ];
  if (problems.length > 0) throw invalidAllowlist({ payload: { additionalMessages: problems } });
  return terms;
}

export const shown = ({ id, name, enabledAt, environmentId, scope, outcome }: AllowlistRow): Allowlist => ({
  ...{ id, name, enabledAt, projectEnvironmentId: environmentId, scope, outcome },
});
