import { Body, Get, Post } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
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
const WRITTEN = `${WRITES.limit} times an hour, per user, with the other operations that store or record copies`;
const RELEASES = `encrypted shares leave the service ${MAX_RECOVERIES} times in ${RECOVERY_HOURS} hours, per wallet`;

/** Copies of the caller's shares. */
@ApiController('sdk/:environmentId/waas', 'Sdk')
export class BackupsController {
  constructor(
    private readonly backups: BackupsService,
    private readonly recovery: RecoveryService,
  ) {}

  @Get('keyShares/backup/token')
  @Operation({
    id: 'getBackupToken',
    summary: 'Mint a one-minute token for client backup storage',
    description:
      'It opens the operations that list `backup` among `x-service-tokens`, to this user for one minute and no longer than the session, and nothing else: it stores and records copies, and gets none out. Its scope says `waasBackupToken`; a storage of the application can check it with the key set of the environment.',
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
      'The device encrypts, and the service seals what it gets once more. It takes the place of what was stored before, which asks for a proof of the last five minutes, which the sign-in may have been. docs/threshold.md says how clients/custody encrypts.',
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
      'Writes what backupKeyShares has stored into the folder that Google Drive keeps for the application, by the tokens of a sign-in with Google that has the scope `https://www.googleapis.com/auth/drive.appdata`. It counts like a recovery.',
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
    description: 'The client has stored the encrypted shares there. The service only knows that they are there.',
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
    description: 'All of them or none. A copy that is recorded again, under its id or at its location, stays one.',
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
      'What backupKeyShares has stored, and where other copies are. Asks for a proof of the last five minutes, which the sign-in may have been. Copies of shares that were replaced since are refused.',
    errors: [403, 422],
    events: [WALLET_RECOVERED.name],
    limits: [RELEASES],
  })
  @EndUser()
  @RecentProofAccepted('wallet:restore')
  @ApiBody({ required: false, type: RecoverMultipleClientKeySharesRequest })
  @Returns(RecoverMultipleClientKeySharesResponse)
  recoverKeyShares(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
    @Body() { keyShareIds }: RecoverMultipleClientKeySharesRequest,
  ) {
    return this.recovery.recover(environmentId, caller, walletId, keyShareIds);
  }
}
