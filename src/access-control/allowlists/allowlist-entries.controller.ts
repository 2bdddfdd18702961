import { Delete } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Environment,
  ScopedBy,
  type DashboardPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { AllowlistEntriesService } from './allowlist-entries.service.js';
import { ENTRY_DELETED } from './allowlist.events.js';
import { AllowlistEntryOwner } from './allowlist-owners.js';

@ApiController('allowlistEntries/:allowlistEntryId', 'Allowlists')
export class AllowlistEntriesController {
  constructor(private readonly entries: AllowlistEntriesService) {}

  @Delete()
  @Operation({
    id: 'deleteAllowlistEntryById',
    summary: 'Remove an allowlist entry',
    errors: [405],
    events: [ENTRY_DELETED.name],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @ScopedBy(AllowlistEntryOwner, 'allowlistEntryId')
  @ReturnsNothing()
  deleteAllowlistEntryById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('allowlistEntryId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.entries.delete(environmentId, id, caller);
  }
}
