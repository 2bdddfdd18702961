import { Get, Query } from '@nestjs/common';
import { Dashboard, Organization, type OrganizationId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { GetOrganizationTokensQuery, MAX_PAGE, OrganizationTokensResponse } from './organization-token.dto.js';
import { OrganizationTokens } from './organization-tokens.service.js';

@ApiController('organizations/:organizationId/tokens', 'Tokens')
export class OrganizationTokensController {
  constructor(private readonly tokens: OrganizationTokens) {}

  @Get()
  @Operation({
    id: 'getOrganizationTokens',
    summary: 'List the API tokens of all environments of an organization, with who made them',
    description:
      'Before a member is removed, `createdBy` shows what would go with them or be kept; afterwards, `left=true` shows what was kept of those who are gone. Tokens that have expired are not listed.',
    limits: [`${MAX_PAGE} tokens a page`],
  })
  @Dashboard({ scope: null, role: 'owner' })
  @Returns(OrganizationTokensResponse)
  getOrganizationTokens(@Organization() organizationId: OrganizationId, @Query() query: GetOrganizationTokensQuery) {
    return this.tokens.list(organizationId, query);
  }
}
