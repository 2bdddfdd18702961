import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { DeviceConfirmation } from './device-confirmation.entity.js';

/** Removes tokens for new devices that nobody came back with. */
@Injectable()
export class DeviceConfirmationsPurge extends PurgeJob {
  protected readonly name = 'deviceConfirmations.purge';
  protected readonly old = [oldRows(DeviceConfirmation, 'expiresAt')];
}
