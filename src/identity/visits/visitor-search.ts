import { validationFailed } from '../../common/errors/index.js';
import { isUuid } from '../../common/ids.js';
import type { Chain } from '../vocabulary/chains.js';
import { DEFAULT_VISITORS, type ListVisitorsQuery, type VisitorSearchFilterParams } from './visitor.dto.js';

/** The filter for visitors: an exact id or address. */
export type VisitorMatch = { by: 'id'; id: string } | { by: 'address'; address: string };

export interface VisitorSearch {
  descending: boolean;
  offset: number;
  limit: number;
  match: VisitorMatch | null;
  chain: Chain | null;
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** @throws ApiError 400 for an unsupported order */
export function visitorSearchOf(query: ListVisitorsQuery): VisitorSearch {
  const { filter = {}, orderBy = 'createdAt-desc', offset = 0, limit = DEFAULT_VISITORS } = query;
  const [column, direction] = orderBy.split('-');
  if (column !== 'createdAt') {
    throw validationFailed({ payload: { fields: [{ field: 'orderBy', message: 'orderBy must name createdAt' }] } });
  }
  return { descending: direction === 'desc', offset, limit, match: matchOf(filter), chain: filter.chain ?? null };
}

function matchOf({ filterColumn = 'all', filterValue }: VisitorSearchFilterParams): VisitorMatch | null {
  const value = filterValue?.trim();
  if (!value) return null;
  if (filterColumn === 'id' || (filterColumn === 'all' && isUuid(value))) {
    return { by: 'id', id: isUuid(value) ? value.toLowerCase() : NOBODY };
  }
  return { by: 'address', address: value };
}
