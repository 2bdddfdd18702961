import { Body, Delete, Get, Header, Param, Put } from '@nestjs/common';
import { Caller, EndUser, Environment, Public, type EndUserPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { NameGateway } from './name-gateway.js';
import { GatewayAnswer, OwnName, OwnNameRequest } from './name-service.dto.js';
import { NAME_CLAIMED, NAME_RELEASED } from './name-service.events.js';
import { OwnNames } from './own-names.service.js';

/** Names as seen by users and by the public. */
@ApiController('sdk/:environmentId', 'Sdk')
export class ClientNamesController {
  constructor(
    private readonly names: OwnNames,
    private readonly gateway: NameGateway,
  ) {}

  @Put('users/names')
  @Operation({
    id: 'claimName',
    summary: 'Give a wallet of the signed-in user a name',
    description:
      'The name is below the domain of the environment and belongs to the wallet: it is kept when two users are merged, and becomes available when the wallet is unlinked.',
    errors: [422],
    events: [NAME_CLAIMED.name],
    limits: ['one name per wallet'],
  })
  @EndUser()
  @Returns(OwnName)
  claimName(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Body() request: OwnNameRequest,
  ) {
    return this.names.claim(environmentId, caller, request);
  }

  @Delete('users/names/:handle')
  @Operation({
    id: 'releaseName',
    summary: 'Release a name of the signed-in user',
    events: [NAME_RELEASED.name],
  })
  @EndUser()
  @ReturnsNothing()
  releaseName(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Param('handle') handle: string,
  ) {
    return this.names.release(environmentId, caller, handle);
  }

  @Get('nameService/:sender/:callData')
  @Operation({
    id: 'resolveName',
    summary: "Answer an Ethereum resolver's query for a name",
    description:
      'An ERC-3668 gateway: `sender` is the resolver, `callData` its call of `resolve(bytes,bytes)` (ENSIP-10) for `addr` or `text`. The answer is signed for this resolver and query, and is valid for five minutes; a name that nobody has resolves to the zero address or empty bytes. `text` records are always empty.',
    errors: [400],
  })
  @Header('Access-Control-Allow-Origin', '*')
  @Public()
  @Returns(GatewayAnswer)
  resolveName(
    @Environment() environmentId: EnvironmentId,
    @Param('sender') sender: string,
    @Param('callData') callData: string,
  ) {
    return this.gateway.answer(environmentId, sender, callData);
  }
}
