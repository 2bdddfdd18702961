import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { DeviceConfirmation } from './device-confirmation.entity.js';

/** Removes unused tokens for new devices. */
@Injectable()
export class DeviceConfirmationsPurge extends PurgeJob {
  protected readonly name = 'deviceConfirmations.purge';
  protected readonly old = [oldRows(DeviceConfirmation, 'expiresAt')];
}
