import { Get, Query } from '@nestjs/common';
import { Dashboard, Organization, type OrganizationId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { AuditRecordsResponse, GetAuditRecordsQuery, MAX_PAGE } from './audit-record.dto.js';
import { AuditRecordsService } from './audit-records.service.js';

@ApiController('organizations/:organizationId/audit', 'Organizations')
export class AuditRecordsController {
  constructor(private readonly records: AuditRecordsService) {}

  @Get()
  @Operation({
    id: 'getAuditRecords',
    summary: "Read an organization's audit trail, newest first",
    description:
      'Every change that members, their tokens or the service make to the organization, its projects and its environments. Each record contains the hash of the previous one, so that none can be altered or removed unnoticed.',
    limits: [`${MAX_PAGE} records per page`],
  })
  @Dashboard({ scope: null, role: 'admin' })
  @Returns(AuditRecordsResponse)
  getAuditRecords(@Organization() organizationId: OrganizationId, @Query() query: GetAuditRecordsQuery) {
    return this.records.list(organizationId, query);
  }
}
