import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Environment,
  ScopedBy,
  type DashboardPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { Allowlist, PostAllowlistsRequest } from './allowlist.dto.js';
import {
  AllowlistEntriesResponse,
  AllowlistEntry,
  ListEntriesQuery,
  PostAllowlistEntriesRequest,
} from './allowlist-entry.dto.js';
import { AllowlistEntriesService } from './allowlist-entries.service.js';
import {
  ALLOWLIST_DELETED,
  ALLOWLIST_DISABLED,
  ALLOWLIST_ENABLED,
  ALLOWLIST_UPDATED,
  ENTRY_CREATED,
} from './allowlist.events.js';
import { AllowlistOwner } from './allowlist-owners.js';
import { AllowlistsService } from './allowlists.service.js';

const READ = { scope: 'environment.settings.read', role: 'viewer' } as const;
const WRITE = { scope: 'environment.settings.write', role: 'developer' } as const;

@ApiController('allowlists/:allowlistId', 'Allowlists')
export class AllowlistsController {
  constructor(
    private readonly lists: AllowlistsService,
    private readonly entries: AllowlistEntriesService,
  ) {}

  @Get()
  @Operation({ id: 'getAllowlistsById', summary: 'Read one allowlist' })
  @Dashboard(READ)
  @ScopedBy(AllowlistOwner, 'allowlistId')
  @Returns(Allowlist)
  getAllowlistsById(@Environment() environmentId: EnvironmentId, @IdParam('allowlistId') id: string) {
    return this.lists.get(environmentId, id);
  }

  @Put()
  @Operation({
    id: 'updateAllowlistById',
    summary: "Change an allowlist's name, scope or outcome",
    description:
      'Omitted fields keep their values, and so does the enabled state. Changing the outcome from scope to another removes the scope, unless the request contains one.',
    errors: [422],
    events: [ALLOWLIST_UPDATED.name],
  })
  @Dashboard(WRITE)
  @ScopedBy(AllowlistOwner, 'allowlistId')
  @Returns(Allowlist)
  updateAllowlistById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('allowlistId') id: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: PostAllowlistsRequest,
  ) {
    return this.lists.update(environmentId, id, request, caller);
  }

  @Delete()
  @Operation({
    id: 'deleteAllowlistById',
    summary: 'Delete an allowlist',
    errors: [405],
    events: [ALLOWLIST_DELETED.name],
  })
  @Dashboard(WRITE)
  @ScopedBy(AllowlistOwner, 'allowlistId')
  @ReturnsNothing()
  deleteAllowlistById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('allowlistId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.lists.delete(environmentId, id, caller);
  }

  @Put('enable')
  @Operation({
    id: 'enableAllowlistById',
    summary: 'Turn an allowlist on',
    description:
      'Takes effect within a second. With the outcome siteAccess or block, users who are not listed are refused at their next sign-in or refresh, and lose the tokens that they have within minutes: add the entries first.',
    events: [ALLOWLIST_ENABLED.name],
  })
  @Dashboard(WRITE)
  @ScopedBy(AllowlistOwner, 'allowlistId')
  @Returns(Allowlist)
  enableAllowlistById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('allowlistId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.lists.setEnabled(environmentId, id, true, caller);
  }

  @Put('disable')
  @Operation({ id: 'disableAllowlistById', summary: 'Turn an allowlist off', events: [ALLOWLIST_DISABLED.name] })
  @Dashboard(WRITE)
  @ScopedBy(AllowlistOwner, 'allowlistId')
  @Returns(Allowlist)
  disableAllowlistById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('allowlistId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.lists.setEnabled(environmentId, id, false, caller);
  }

  @Get('entries')
  @Operation({ id: 'getEntriesByAllowlistId', summary: 'List and search the entries of an allowlist', errors: [405] })
  @Dashboard(READ)
  @ScopedBy(AllowlistOwner, 'allowlistId')
  @Returns(AllowlistEntriesResponse)
  getEntriesByAllowlistId(
    @Environment() environmentId: EnvironmentId,
    @IdParam('allowlistId') id: string,
    @Query() query: ListEntriesQuery,
  ) {
    return this.entries.list(environmentId, id, query);
  }

  @Post('entries')
  @Operation({
    id: 'postEntryByAllowlistId',
    idempotent: true,
    summary: 'Add an entry to an allowlist',
    description:
      'Needs at least one field other than alias; a user who has proven one of them is on the list. Emails, domains, numbers and EVM addresses are compared in normalised form, ids and other addresses exactly.',
    errors: [422],
    events: [ENTRY_CREATED.name],
    limits: ['1,000,000 entries per allowlist'],
  })
  @Dashboard(WRITE)
  @ScopedBy(AllowlistOwner, 'allowlistId')
  @Returns(AllowlistEntry, { status: 201 })
  postEntryByAllowlistId(
    @Environment() environmentId: EnvironmentId,
    @IdParam('allowlistId') id: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: PostAllowlistEntriesRequest,
    @CallWork() work: Work,
  ) {
    return this.entries.add(environmentId, id, request, caller, work);
  }
}
