import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import { PeopleDirectory } from '../members/people-directory.js';
import { madeTokenScope } from '../tenant-scope.js';
import { ApiTokensRepository } from './api-tokens.repository.js';
import { creatorsOf, describeToken } from './describe-tokens.js';
import {
  DEFAULT_PAGE,
  type GetOrganizationTokensQuery,
  type OrganizationTokensResponse,
} from './organization-token.dto.js';

/** Shows owners which tokens reach an organization without membership, both before and after somebody leaves. */
@Injectable()
export class OrganizationTokens {
  constructor(
    private readonly tokens: ApiTokensRepository,
    private readonly people: PeopleDirectory,
  ) {}

  async list(
    organizationId: OrganizationId,
    { createdBy, left, cursor, limit = DEFAULT_PAGE }: GetOrganizationTokensQuery,
  ): Promise<OrganizationTokensResponse> {
    const asked = { createdBy: createdBy ?? null, left: left ?? null, before: cursor ?? null, limit: limit + 1 };
    const found = await this.tokens.listOfOrganization(organizationId, asked);
    const rows = found.slice(0, limit);
    const people = await this.people.findPeople(creatorsOf(rows));
    const tokens = rows.map((row) => {
      const { environmentId: _environmentId, isOfMember, expiresAt, lastUsedAt, ...token } = row;
      const described = describeToken(madeTokenScope(row), token, people);
      return { ...described, createdByMember: isOfMember, expiresAt, ...(lastUsedAt && { lastUsedAt }) };
    });
    const last = rows.at(-1);
    return { tokens, ...(found.length > limit && last && { cursor: last.id }) };
  }
}
