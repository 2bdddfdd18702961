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
    summary: 'List the API tokens of all environments of an organization, with their creators',
    description:
      'Before removing a member, use `createdBy` to see which tokens would be deleted or kept; afterwards, `left=true` lists kept tokens of former members. Expired tokens are not listed.',
    limits: [`${MAX_PAGE} tokens per page`],
  })
  @Dashboard({ scope: null, role: 'owner' })
  @Returns(OrganizationTokensResponse)
  getOrganizationTokens(@Organization() organizationId: OrganizationId, @Query() query: GetOrganizationTokensQuery) {
    return this.tokens.list(organizationId, query);
  }
}
