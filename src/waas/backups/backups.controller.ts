import { Body, Get, Post } from '@nestjs/common';
import {
  Caller,
  EndUser,
  Environment,
  RecentProofAccepted,
  ServiceTokens,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { OptionalBody } from '../../common/http/optional-body.js';
import { IdParam } from '../../common/http/params.js';
import { WALLET_BACKED_UP, WALLET_RECOVERED } from './backup.events.js';
import {
  BackupKeySharesToLocationRequest,
  BackupKeySharesToLocationResponse,
  BackupKeySharesToLocationsRequest,
  BackupKeySharesToLocationsResponse,
  BackupMultipleClientKeySharesRequest,
  BackupMultipleClientKeySharesResponse,
  GeneratedTokenResponse,
  RecoverMultipleClientKeySharesRequest,
  RecoverMultipleClientKeySharesResponse,
} from './backup.dto.js';
import { BackupsService, WRITES } from './backups.service.js';
import { MAX_BACKUPS } from './backups.repository.js';
import { MAX_RECOVERIES, RECOVERY_HOURS } from './recoveries.repository.js';
import { RecoveryService } from './recovery.service.js';

const COPIES = `${MAX_BACKUPS} backups per wallet`;
const WRITTEN = `${WRITES.limit} calls per hour and user, together with the other operations that store or record copies`;
const RELEASES = `encrypted shares are released at most ${MAX_RECOVERIES} times in ${RECOVERY_HOURS} hours per wallet`;

/** Backup copies of the caller's shares. */
@ApiController('sdk/:environmentId/waas', 'Sdk')
export class BackupsController {
  constructor(
    private readonly backups: BackupsService,
    private readonly recovery: RecoveryService,
  ) {}

  @Get('keyShares/backup/token')
  @Operation({
    id: 'getBackupToken',
    summary: 'Issue a one-minute token for client backup storage',
    description:
      "It is accepted by the operations that list `backup` among `x-service-tokens`, for this user, for one minute and no longer than the session, and by nothing else: it can store and record copies, but not read them. Its scope is `waasBackupToken`; the application's own storage can verify it with the key set of the environment.",
    errors: [400, 403, 422],
    sessionErrors: true,
  })
  @EndUser()
  @Returns(GeneratedTokenResponse)
  getBackupToken(@Environment() environmentId: EnvironmentId, @Caller() caller: EndUserPrincipal) {
    return this.backups.token(environmentId, caller);
  }

  @Post(':walletId/keyShares/backup')
  @Operation({
    id: 'backupKeyShares',
    summary: 'Store encrypted client key shares',
    description:
      'The device encrypts the shares, and the service encrypts the result once more. Replacing a stored backup requires a proof from the last five minutes, which can be the sign-in. docs/threshold.md describes the encryption of clients/custody.',
    errors: [403, 422],
    events: [WALLET_BACKED_UP.name],
    limits: [COPIES, WRITTEN],
  })
  @EndUser()
  @ServiceTokens('backup')
  @RecentProofAccepted('wallet:restore')
  @Returns(BackupMultipleClientKeySharesResponse, { status: 201 })
  backupKeyShares(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
    @Body() request: BackupMultipleClientKeySharesRequest,
  ) {
    return this.backups.store(environmentId, caller, walletId, request);
  }

  @Post(':walletId/keyShares/backup/googleDrive')
  @Operation({
    id: 'backupKeySharesToGoogleDrive',
    summary: "Record a key-share backup in the user's cloud drive",
    description:
      "Copies what backupKeyShares has stored to the application's Google Drive folder, with the tokens of a Google sign-in that has the scope `https://www.googleapis.com/auth/drive.appdata`. Counts as a recovery.",
    errors: [400, 403, 422, 503],
    events: [WALLET_BACKED_UP.name, WALLET_RECOVERED.name],
    limits: [COPIES, RELEASES],
  })
  @EndUser()
  @RecentProofAccepted('wallet:restore')
  @Returns(BackupMultipleClientKeySharesResponse, { status: 201 })
  backupKeySharesToGoogleDrive(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
  ) {
    return this.recovery.copyToDrive(environmentId, caller, walletId);
  }

  @Post(':walletId/keyShares/backup/location')
  @Operation({
    id: 'backupKeySharesToLocation',
    summary: 'Record a key-share backup at one location',
    description: 'The client has stored the encrypted shares there. The service only records that they exist.',
    errors: [403, 422],
    events: [WALLET_BACKED_UP.name],
    limits: [COPIES, WRITTEN],
  })
  @EndUser()
  @ServiceTokens('backup')
  @Returns(BackupKeySharesToLocationResponse, { status: 201 })
  backupKeySharesToLocation(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
    @Body() request: BackupKeySharesToLocationRequest,
  ) {
    return this.backups.recordOne(environmentId, caller, walletId, request);
  }

  @Post(':walletId/keyShares/backup/locations')
  @Operation({
    id: 'backupKeySharesToLocations',
    summary: 'Record key-share backups at several locations',
    description: 'All or nothing. Recording a copy again, under its id or at its location, does not duplicate it.',
    errors: [403, 422],
    events: [WALLET_BACKED_UP.name],
    limits: [COPIES, WRITTEN],
  })
  @EndUser()
  @ServiceTokens('backup')
  @Returns(BackupKeySharesToLocationsResponse, { status: 201 })
  backupKeySharesToLocations(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
    @Body() request: BackupKeySharesToLocationsRequest,
  ) {
    return this.backups.recordAll(environmentId, caller, walletId, request);
  }

  @Post(':walletId/keyShares/recover')
  @Operation({
    id: 'recoverKeyShares',
    summary: 'Return encrypted client key shares',
    description:
      'Returns what backupKeyShares has stored, and where other copies are. Requires a proof from the last five minutes, which can be the sign-in. Copies of replaced shares are refused.',
    errors: [403, 422],
    events: [WALLET_RECOVERED.name],
    limits: [RELEASES],
  })
  @EndUser()
  @RecentProofAccepted('wallet:restore')
  @Returns(RecoverMultipleClientKeySharesResponse)
  recoverKeyShares(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
    @OptionalBody(RecoverMultipleClientKeySharesRequest) { keyShareIds }: RecoverMultipleClientKeySharesRequest,
  ) {
    return this.recovery.recover(environmentId, caller, walletId, keyShareIds);
  }
}
