import { Body, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { CHAIN_NAME } from '../../networks/index.js';
import {
  NameServiceCreateRequest,
  NameServiceSettings,
  NameServiceSigningMessage,
  NameServiceSigningMessageRequest,
} from './name-service.dto.js';
import {
  NAME_SERVICE_CREATED,
  NAME_SERVICE_DELETED,
  NAME_SERVICE_DISABLED,
  NAME_SERVICE_ENABLED,
} from './name-service.events.js';
import { NameServiceService } from './name-service.service.js';

const READ = { scope: 'environment.settings.read', role: 'viewer' } as const;
const WRITE = { scope: 'environment.settings.write', role: 'developer' } as const;

@ApiController('environments/:environmentId/nameService/:chainName', 'NameServices')
@ApiParam(CHAIN_NAME)
export class NameServiceController {
  constructor(private readonly names: NameServiceService) {}

  @Get()
  @Operation({ id: 'getNameService', summary: 'Read the name-service setup for a chain', errors: [422] })
  @Dashboard(READ)
  @Returns(NameServiceSettings)
  getNameService(@Environment() environmentId: EnvironmentId, @Param('chainName') chainName: string) {
    return this.names.get(environmentId, chainName);
  }

  @Post()
  @Operation({
    id: 'createNameService',
    summary: 'Set up a name-service domain for a chain with a signed proof',
    description:
      "EVM only. The ENS registry, read through the deployment's Ethereum node, must name the signer, or the contract that wraps the domain for them, as the owner of the domain. Created disabled.",
    errors: [422],
    events: [NAME_SERVICE_CREATED.name],
    limits: ['one domain per chain'],
  })
  @Dashboard(WRITE)
  @Returns(NameServiceSettings, { status: 201 })
  createNameService(
    @Environment() environmentId: EnvironmentId,
    @Param('chainName') chainName: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: NameServiceCreateRequest,
  ) {
    return this.names.create(environmentId, chainName, request, caller);
  }

  @Delete()
  @Operation({
    id: 'deleteNameService',
    summary: 'Remove the name-service setup for a chain',
    description: 'Also removes the names below the domain.',
    errors: [422],
    events: [NAME_SERVICE_DELETED.name],
  })
  @Dashboard(WRITE)
  @ReturnsNothing()
  deleteNameService(
    @Environment() environmentId: EnvironmentId,
    @Param('chainName') chainName: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.names.delete(environmentId, chainName, caller);
  }

  @Put('enable')
  @Operation({
    id: 'enableNameService',
    summary: 'Turn the name service on for a chain',
    description:
      'The registry is asked again who owns the domain. Only one environment at a time can issue names below a domain.',
    errors: [422],
    events: [NAME_SERVICE_ENABLED.name],
  })
  @Dashboard(WRITE)
  @Returns(NameServiceSettings)
  enableNameService(
    @Environment() environmentId: EnvironmentId,
    @Param('chainName') chainName: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.names.enable(environmentId, chainName, caller);
  }

  @Put('disable')
  @Operation({
    id: 'disableNameService',
    summary: 'Turn the name service off for a chain',
    description: 'Wallets keep their names, but the names no longer resolve.',
    errors: [422],
    events: [NAME_SERVICE_DISABLED.name],
  })
  @Dashboard(WRITE)
  @Returns(NameServiceSettings)
  disableNameService(
    @Environment() environmentId: EnvironmentId,
    @Param('chainName') chainName: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.names.disable(environmentId, chainName, caller);
  }

  @Post('signingMessage')
  @HttpCode(200)
  @Operation({
    id: 'fetchNameServiceSigningMessage',
    summary: 'Build the message for the domain owner to sign',
    description: 'Single-use; expires after ten minutes. A newer message replaces it.',
    errors: [422],
  })
  @Dashboard(WRITE)
  @Returns(NameServiceSigningMessage)
  fetchNameServiceSigningMessage(
    @Environment() environmentId: EnvironmentId,
    @Param('chainName') chainName: string,
    @Body() request: NameServiceSigningMessageRequest,
  ) {
    return this.names.message(environmentId, chainName, request);
  }
}
