import { Get, Post } from '@nestjs/common';
import {
  Caller,
  EndUser,
  Environment,
  RecentProofAccepted,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { MfaGetRecoveryCodesResponse, MfaRegenRecoveryCodesResponse } from './mfa.dto.js';
import { RECOVERY_CODES_REPLACED } from './mfa.events.js';
import { RecoveryCodes } from './recovery-codes.service.js';

const EVENTS = [RECOVERY_CODES_REPLACED.name, 'user.updated'];

@ApiController('sdk/:environmentId/users/mfa/recovery', 'Sdk')
export class RecoveryCodesController {
  constructor(private readonly codes: RecoveryCodes) {}

  @Get()
  @Operation({
    id: 'getRecoveryCodes',
    noHead: true,
    summary: 'Read how many recovery codes remain; the first call creates and shows them',
    description:
      'The first codes are created by the first call in a session with a second factor and a proof from the last five minutes, and are shown only in that answer. None are created where the settings accept none for the devices of the user (`allowBackupCodes`). Set `mfaBackupCodeAcknowledgement` to `complete` once they are stored safely.',
    errors: [403],
    events: EVENTS,
  })
  @EndUser()
  @RecentProofAccepted('credential:link')
  @Returns(MfaGetRecoveryCodesResponse)
  getRecoveryCodes(@Environment() environmentId: EnvironmentId, @Caller() caller: EndUserPrincipal) {
    return this.codes.read(environmentId, caller);
  }

  @Post()
  @Operation({
    id: 'createNewRecoveryCodes',
    summary: 'Replace all recovery codes',
    description:
      'Requires a session with a second factor and a proof from the last five minutes. The codes are shown only in this answer. Refused where the settings accept none for the devices of the user (`allowBackupCodes`).',
    errors: [403],
    events: EVENTS,
  })
  @EndUser()
  @RecentProofAccepted('credential:link')
  @Returns(MfaRegenRecoveryCodesResponse)
  createNewRecoveryCodes(@Environment() environmentId: EnvironmentId, @Caller() caller: EndUserPrincipal) {
    return this.codes.replace(environmentId, caller);
  }
}
