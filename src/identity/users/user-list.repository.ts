import { Injectable } from '@nestjs/common';
import {
  Database,
  scopedStatement,
  statementFamily,
  type EnvironmentId,
  type Statement,
} from '../../database/index.js';
import { fullUserOf, type FullUser, type UserRow } from './full-user.js';
import { UserFacets } from './user-facets.js';
import { storedNamesOf } from '../vocabulary/chains.js';
import { PROVIDER_KINDS } from '../vocabulary/providers.js';
import { HOLDS_A_SHARED_ONE } from './held-identifiers.js';
import { userSelection } from './user-selection.js';
import type { UserMatch, UserSearch } from './user-search.js';

/** How many of the newest matches a filter, or any order other than by creation, examines. */
export const MAX_MATCHES = 10_000;
/** How many of the newest users with the text in any field are examined when one field is searched. */
const MAX_CANDIDATES = 50_000;

/** The index on creation gives the page's keys; only those users are read. At least one row, for the count. */
const pageByCreation = (name: string, direction: 'ASC' | 'DESC'): ReturnType<typeof statementFamily> =>
  statementFamily(name, (statement, selection) =>
    scopedStatement(
      statement,
      `SELECT n.total, p.* FROM (
         SELECT coalesce(sum(users), 0)::bigint::text AS total FROM user_counts WHERE environment_id = $1
       ) n LEFT JOIN (
         SELECT ${selection} FROM (
           SELECT id FROM users WHERE environment_id = $1
           ORDER BY created_at ${direction}, id ${direction} LIMIT $2 OFFSET $3
         ) k JOIN users u ON u.environment_id = $1 AND u.id = k.id
       ) p ON true ORDER BY p."createdAt" ${direction}, p.id ${direction}`,
    ),
  );

const NEWEST = pageByCreation('users.listNewest', 'DESC');
const OLDEST = pageByCreation('users.listOldest', 'ASC');

const SEARCHED =
  'user_search_text(u.email, u.alias, u.first_name, u.last_name, u.job_title, u.phone_number, u.username)';
const ONE_COLUMN = `lower(CASE $7::text WHEN 'email' THEN u.email WHEN 'alias' THEN u.alias
  WHEN 'firstName' THEN u.first_name WHEN 'lastName' THEN u.last_name WHEN 'jobTitle' THEN u.job_title
  WHEN 'phoneNumber' THEN u.phone_number WHEN 'username' THEN u.username END)`;

/** The users whose credentials `c` meet a condition. */
const holding = (condition: string): string =>
  `u.id IN (SELECT c.user_id FROM credentials c WHERE c.environment_id = $1 AND ${condition})`;

const ALL = 'users u';
/** The index covers the text of all fields together; only the row shows which field it is in. */
const WITH_PART = `(
    SELECT * FROM users u WHERE u.environment_id = $1 AND ${SEARCHED} LIKE lower($6::text)
    ORDER BY u.created_at DESC, u.id DESC LIMIT ${MAX_CANDIDATES}
  ) u`;

/** Conditions by kind of filter; `$6` is the search value. */
const MATCHES: Record<UserMatch['by'], string> = {
  part: `($7::text = 'all' OR ${ONE_COLUMN} LIKE lower($6::text))`,
  id: 'u.id = $6::uuid AND $7::text IS NULL',
  address: `${holding('lower(c.address) = lower($6::text)')} AND $7::text IS NULL`,
  account: `${holding('c.oauth_provider = ANY ($7::text[]) AND c.oauth_account_id = $6::text')}`,
};
const ANYTHING = '$6::text IS NULL AND $7::text IS NULL';
const BY_PROVIDER = holding('c.oauth_provider = $8::text');
/** By all names under which the chain is stored. */
const BY_CHAIN = holding('c.chain = ANY ($9::text[])');

/**
 * Examines the newest matches, at most MAX_MATCHES, then counts and sorts those; `$4` is the column, `$5` whether
 * descending. The cost is bounded however many users there are.
 */
const pageOfMatches = (
  source: string,
  conditions: string,
  total: string,
  shape: string,
): ReturnType<typeof statementFamily> =>
  statementFamily(`users.search-${shape}`, (name, selection) =>
    scopedStatement(
      name,
      `WITH found AS MATERIALIZED (
         SELECT u.id, u.created_at,
           CASE $4::text WHEN 'createdAt' THEN u.created_at WHEN 'updatedAt' THEN u.updated_at
             WHEN 'firstVisit' THEN u.first_visit WHEN 'lastVisit' THEN u.last_visit END AS moment,
           lower(CASE $4::text WHEN 'email' THEN u.email WHEN 'alias' THEN u.alias WHEN 'firstName' THEN u.first_name
             WHEN 'lastName' THEN u.last_name WHEN 'username' THEN u.username END) AS label
         FROM ${source} WHERE u.environment_id = $1 AND ${conditions}
         ORDER BY u.created_at DESC, u.id DESC LIMIT ${MAX_MATCHES}
       ), ordered AS (
         SELECT id, row_number() OVER (ORDER BY
           CASE WHEN $5 THEN moment END DESC NULLS LAST, CASE WHEN $5 THEN label END DESC NULLS LAST,
           CASE WHEN NOT $5 THEN moment END NULLS LAST, CASE WHEN NOT $5 THEN label END NULLS LAST,
           created_at DESC, id DESC) AS place
         FROM found ORDER BY place LIMIT $2 OFFSET $3
       )
       SELECT n.total, p.* FROM (SELECT (${total})::bigint::text AS total) n LEFT JOIN (
         SELECT k.place, ${selection} FROM ordered k JOIN users u ON u.environment_id = $1 AND u.id = k.id
       ) p ON true ORDER BY p.place`,
    ),
  );

const ALL_USERS = '(SELECT coalesce(sum(users), 0) FROM user_counts WHERE environment_id = $1)';
const FOUND_USERS = '(SELECT count(*) FROM found)';

interface Narrowing {
  byProvider: boolean;
  byChain: boolean;
  duplicates: boolean;
}

type Shape = 'any' | UserMatch['by'];
const searches = new Map<string, ReturnType<typeof pageOfMatches>>();

/** One statement family per combination of filters in use: at most forty. */
function searchFor(shape: Shape, { byProvider, byChain, duplicates }: Narrowing): ReturnType<typeof pageOfMatches> {
  const key = `${shape}${byProvider ? '-provider' : ''}${byChain ? '-chain' : ''}${duplicates ? '-duplicates' : ''}`;
  let search = searches.get(key);
  if (!search) {
    const conditions = [
      shape === 'any' ? ANYTHING : MATCHES[shape],
      byProvider ? BY_PROVIDER : '$8::text IS NULL',
      byChain ? BY_CHAIN : '$9::text[] IS NULL',
      ...(duplicates ? [HOLDS_A_SHARED_ONE] : []),
    ].join(' AND ');
    const source = shape === 'part' ? WITH_PART : ALL;
    const unfiltered = shape === 'any' && !byProvider && !byChain && !duplicates;
    searches.set(key, (search = pageOfMatches(source, conditions, unfiltered ? ALL_USERS : FOUND_USERS, key)));
  }
  return search;
}

type PageRow = (UserRow | { id: null }) & { total: string };

const hasUser = (row: PageRow): row is UserRow & { total: string } => row.id !== null;

/**
 * The statement without its name, so that PostgreSQL plans it for the actual value: the plan for a rare text takes
 * seconds for a common one, and prepared statements settle on one plan.
 */
const planned = (statement: Statement): Statement => ({ ...statement, name: '' });

export interface UserPage {
  count: number;
  users: FullUser[];
}

/** Pages of users, one statement each, with bounded cost however many users there are. */
@Injectable()
export class UserListRepository {
  constructor(
    private readonly database: Database,
    private readonly facets: UserFacets,
  ) {}

  async listPage(environmentId: EnvironmentId, search: UserSearch): Promise<UserPage> {
    const view = { sessions: search.includeSessions, oauthMetadata: false };
    const selection = userSelection(view, this.facets.selection);
    const rows = await this.rowsOf(environmentId, search, selection);
    return {
      count: Number(rows[0]?.total ?? 0),
      // An empty page still has one row, for the count.
      users: rows.filter(hasUser).map(fullUserOf),
    };
  }

  private async rowsOf(environmentId: EnvironmentId, search: UserSearch, selection: string): Promise<PageRow[]> {
    const { order, match, provider, chain, duplicates, limit, offset } = search;
    const page = [environmentId, limit, offset];
    if (order.column === 'createdAt' && !match && !provider && !chain && !duplicates) {
      return this.database.rows<PageRow>((order.descending ? NEWEST : OLDEST)(selection), page);
    }
    const narrowing = { byProvider: provider !== null, byChain: chain !== null, duplicates };
    const statement = planned(searchFor(match?.by ?? 'any', narrowing)(selection));
    const values = [
      ...page,
      order.column,
      order.descending,
      ...soughtBy(match, provider),
      provider,
      chain && storedNamesOf(chain),
    ];
    return this.database.rows<PageRow>(statement, values);
  }
}

/** `$6` and `$7` of a search. */
function soughtBy(match: UserMatch | null, provider: string | null): [unknown, unknown] {
  switch (match?.by) {
    case undefined:
      return [null, null];
    case 'part':
      return [match.pattern, match.column];
    case 'id':
      return [match.id, null];
    case 'address':
      return [match.address, null];
    case 'account':
      // The index starts with the provider, so without a provider filter all providers are listed.
      return [match.accountId, provider ? [provider] : PROVIDER_KINDS.values];
  }
}
