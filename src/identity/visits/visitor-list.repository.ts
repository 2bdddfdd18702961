import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Statement } from '../../database/index.js';
import { storedNamesOf } from '../vocabulary/chains.js';
import type { VisitorSearch } from './visitor-search.js';
import type { EnvironmentVisitorsResponse, Visitor, VisitorsResponse } from './visitor.dto.js';

/** Maximum visitors examined per address: anybody may report an address with any wallet names. */
const MAX_MATCHES = 10_000;

const COLUMNS = `v.id, v.address, v.chain, v.wallet_name AS "walletName", v.provider, v.created_at AS "createdAt",
  v.environment_id AS "projectEnvironmentId"`;

type Direction = 'ASC' | 'DESC';

/** The page comes from an index on creation, the total from the trigger's slots. At least one row, for the total. */
const page = (name: string, direction: Direction): Statement =>
  scopedStatement(
    `visitors.${name}`,
    `SELECT n.total, p.* FROM (
       SELECT coalesce(sum(visitors), 0)::bigint::text AS total FROM visitor_counts
       WHERE environment_id = $1 AND $4::text[] IS NULL
     ) n LEFT JOIN (
       SELECT ${COLUMNS} FROM visitors v WHERE v.environment_id = $1 AND $4::text[] IS NULL
       ORDER BY v.created_at ${direction}, v.id ${direction} LIMIT $2 OFFSET $3
     ) p ON true ORDER BY p."createdAt" ${direction}, p.id ${direction}`,
  );

/** The same for a chain: fetches a full page under each of its names, since no index covers all of them in order. */
const pageOfChain = (name: string, direction: Direction): Statement =>
  scopedStatement(
    `visitors.${name}`,
    `SELECT n.total, p.* FROM (
       SELECT coalesce(sum(visitors), 0)::bigint::text AS total FROM visitor_counts
       WHERE environment_id = $1 AND chain = ANY ($4::text[])
     ) n LEFT JOIN (
       SELECT one.* FROM unnest($4::text[]) AS named (chain) CROSS JOIN LATERAL (
         SELECT ${COLUMNS} FROM visitors v WHERE v.environment_id = $1 AND v.chain = named.chain
         ORDER BY v.created_at ${direction}, v.id ${direction} LIMIT $2::bigint + $3::bigint
       ) one ORDER BY one."createdAt" ${direction}, one.id ${direction} LIMIT $2 OFFSET $3
     ) p ON true ORDER BY p."createdAt" ${direction}, p.id ${direction}`,
  );

const matches = (name: string, direction: Direction, condition: string): Statement =>
  scopedStatement(
    `visitors.${name}`,
    `WITH found AS MATERIALIZED (
       SELECT ${COLUMNS} FROM visitors v
       WHERE v.environment_id = $1 AND ($4::text[] IS NULL OR v.chain = ANY ($4::text[])) AND ${condition} LIMIT ${MAX_MATCHES}
     )
     SELECT n.total, p.* FROM (SELECT count(*)::text AS total FROM found) n LEFT JOIN (
       SELECT * FROM found ORDER BY "createdAt" ${direction}, id ${direction} LIMIT $2 OFFSET $3
     ) p ON true ORDER BY p."createdAt" ${direction}, p.id ${direction}`,
  );

const BY_ID = 'v.id = $5::uuid';
const BY_ADDRESS = 'lower(v.address) = lower($5::text)';

const PAGES = {
  all: { newest: page('listNewest', 'DESC'), oldest: page('listOldest', 'ASC') },
  chain: { newest: pageOfChain('listNewestOfChain', 'DESC'), oldest: pageOfChain('listOldestOfChain', 'ASC') },
} as const;
const MATCHES = {
  id: { newest: matches('findNewestById', 'DESC', BY_ID), oldest: matches('findOldestById', 'ASC', BY_ID) },
  address: {
    newest: matches('findNewestByAddress', 'DESC', BY_ADDRESS),
    oldest: matches('findOldestByAddress', 'ASC', BY_ADDRESS),
  },
} as const;

const COUNTS = scopedStatement(
  'visitors.countAll',
  `SELECT
     (SELECT coalesce(sum(users), 0)::float FROM user_counts WHERE environment_id = $1) AS users,
     (SELECT coalesce(sum(visitors), 0)::float FROM visitor_counts WHERE environment_id = $1) AS visitors,
     coalesce(sum(people) FILTER (WHERE kind = 'user'), 0)::float AS "activeUsers",
     coalesce(sum(people) FILTER (WHERE kind = 'visitor'), 0)::float AS "activeVisitors"
   FROM visit_days WHERE environment_id = $1 AND kind IN ('user', 'visitor')
     AND day > (now() AT TIME ZONE 'UTC')::date - 30`,
);

interface Counts {
  users: number;
  visitors: number;
  activeUsers: number;
  activeVisitors: number;
}
type PageRow = { total: string } & (Visitor | { id: null });

const hasVisitor = (row: PageRow): row is Visitor & { total: string } => row.id !== null;

/** Pages of visitors, one statement each, with bounded cost however many there are. */
@Injectable()
export class VisitorListRepository {
  constructor(private readonly database: Database) {}

  async listPage(environmentId: EnvironmentId, search: VisitorSearch): Promise<VisitorsResponse> {
    const { match, chain, limit, offset, descending } = search;
    const order = descending ? 'newest' : 'oldest';
    const values = [environmentId, limit, offset, chain && storedNamesOf(chain)];
    const rows = match
      ? await this.database.rows<PageRow>(MATCHES[match.by][order], [
          ...values,
          match.by === 'id' ? match.id : match.address,
        ])
      : await this.database.rows<PageRow>(PAGES[chain === null ? 'all' : 'chain'][order], values);
    return { count: Number(rows[0]?.total ?? 0), visitors: rows.filter(hasVisitor) };
  }

  async count(environmentId: EnvironmentId): Promise<EnvironmentVisitorsResponse> {
    const [counts] = await this.database.rows<Counts>(COUNTS, [environmentId]);
    const { users, visitors, activeUsers, activeVisitors } = counts!;
    return {
      users: { count: users, uniquePastMonth: activeUsers },
      visitors: { count: visitors, uniquePastMonth: activeVisitors },
    };
  }
}
