import { Body, Post } from '@nestjs/common';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { WALLET_BACKED_UP } from './backup.events.js';
import { BackupKeySharesToLocationsResponse, BackupKeySharesToLocationsWithUserIdRequest } from './backup.dto.js';
import { BackupsService } from './backups.service.js';
import { MAX_BACKUPS } from './backups.repository.js';

/** Locations of share copies, as recorded by an application's servers. */
@ApiController('environments/:environmentId/waas', 'Waas')
export class UserBackupsController {
  constructor(private readonly backups: BackupsService) {}

  @Post(':walletId/keyShares/backup/locations')
  @Operation({
    id: 'backupKeySharesToLocationsForPregen',
    summary: 'Record key-share backups for a pregenerated wallet from a server',
    description:
      'Like backupKeySharesToLocations, for any wallet with a shared key, whether or not its user has claimed it.',
    errors: [422],
    events: [WALLET_BACKED_UP.name],
    limits: [`${MAX_BACKUPS} backups per wallet`],
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(BackupKeySharesToLocationsResponse, { status: 201 })
  backupKeySharesToLocationsForPregen(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @IdParam('walletId') walletId: string,
    @Body() request: BackupKeySharesToLocationsWithUserIdRequest,
  ) {
    return this.backups.recordOfUser(environmentId, caller, walletId, request);
  }
}
