import { Body, Get, Param, Put } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { SETTINGS_UPDATED } from '../environment-settings.events.js';
import { SDK_VIEW_TYPES, SdkView, SdkViewsResponse, SdkViewUpdateRequest } from './sdk-view.dto.js';
import { SdkViewsService } from './sdk-views.service.js';

const viewTypeParam = (): MethodDecorator =>
  ApiParam({ name: 'sdkViewType', enum: SDK_VIEW_TYPES.values, enumName: SDK_VIEW_TYPES.name });

@ApiController('environments/:environmentId/sdkViews', 'SdkViews')
export class SdkViewsController {
  constructor(private readonly views: SdkViewsService) {}

  @Get()
  @Operation({
    id: 'getSdkViews',
    summary: 'List the configured client views',
    description: 'The views are `sdk.views` in the settings.',
  })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @Returns(SdkViewsResponse)
  getSdkViews(@Environment() environmentId: EnvironmentId) {
    return this.views.list(environmentId);
  }

  @Get(':sdkViewType')
  @viewTypeParam()
  @Operation({
    id: 'getSdkView',
    summary: 'Read one client view',
    description: 'A view that has not been configured has no sections.',
  })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @Returns(SdkView)
  getSdkView(@Environment() environmentId: EnvironmentId, @Param('sdkViewType') type: string) {
    return this.views.get(environmentId, type);
  }

  @Put(':sdkViewType')
  @viewTypeParam()
  @Operation({
    id: 'updateSdkView',
    summary: 'Replace the sections of a client view',
    description: 'A settings change like any other, with its own version. Without `sections` nothing changes.',
    errors: [422],
    events: [SETTINGS_UPDATED.name],
    limits: ['100 sections', 'strings: 2,048 characters'],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @Returns(SdkView, { status: 201 })
  updateSdkView(
    @Environment() environmentId: EnvironmentId,
    @Param('sdkViewType') type: string,
    @Caller() actor: DashboardPrincipal,
    @Body() request: SdkViewUpdateRequest,
  ) {
    return this.views.update(environmentId, type, request, actor);
  }
}
