import { Body, Get, Post, Query, Res } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import {
  Caller,
  Dashboard,
  Environment,
  RecentlyProven,
  type DashboardPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { IdParam } from '../../common/http/params.js';
import { ApiController, Operation, Returns, ReturnsToBrowser } from '../../common/http/operation.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { Export, ExportCreateRequest, ExportsResponse, GetExportsQuery } from './export.dto.js';
import { MOST_EXPORTS } from './export.errors.js';
import { EXPORT_CREATED } from './export.events.js';
import { ExportsService } from './exports.service.js';

const SCOPE = 'environment.users.read';

@ApiController('environments/:environmentId/exports', 'Exports')
export class ExportsController {
  constructor(private readonly exports: ExportsService) {}

  @Post()
  @Operation({
    id: 'createExport',
    idempotent: true,
    summary: 'Queue an export of users or visits',
    description:
      'A worker writes the file. Text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe, also inside a field after a semicolon, a tab or a line break, where some spreadsheets start a new cell. Members need a sign-in or proof from the last five minutes.',
    events: [EXPORT_CREATED.name],
    limits: [`${MOST_EXPORTS} exports per environment, each kept for a day`],
  })
  @Dashboard({ scope: SCOPE, role: 'admin' })
  @RecentlyProven('console:settings:update')
  @Returns(Export, { status: 201 })
  createExport(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: ExportCreateRequest,
    @CallWork() work: Work,
  ) {
    return this.exports.create(environmentId, request, caller, work);
  }

  @Get()
  @Operation({ id: 'getEnvironmentExports', summary: 'List exports and their status' })
  @Dashboard({ scope: SCOPE, role: 'admin' })
  @Returns(ExportsResponse)
  getEnvironmentExports(@Environment() environmentId: EnvironmentId, @Query() { model }: GetExportsQuery) {
    return this.exports.list(environmentId, model);
  }

  @Get(':exportId')
  @Operation({ id: 'getExportById', summary: 'Read one export' })
  @Dashboard({ scope: SCOPE, role: 'admin' })
  @Returns(Export)
  getExportById(@Environment() environmentId: EnvironmentId, @IdParam('exportId') exportId: string) {
    return this.exports.get(environmentId, exportId);
  }

  @Get(':exportId/download')
  @Operation({
    id: 'downloadExportById',
    noHead: true,
    summary: "Redirect to an export's file",
    description: 'The URL needs no credentials and works for one download.',
    limits: ['A URL expires after five minutes'],
  })
  @Dashboard({ scope: SCOPE, role: 'admin' })
  @RecentlyProven('console:settings:update')
  @ReturnsToBrowser({ redirect: true })
  async downloadExportById(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @IdParam('exportId') exportId: string,
    @Res() response: ExpressResponse,
  ) {
    const address = await this.exports.openDownload(environmentId, exportId, caller);
    response.status(302).setHeader('Location', address).end();
  }
}
