import { Injectable } from '@nestjs/common';
import { oldRows } from '../../../database/index.js';
import { PurgeJob } from '../../../queue/index.js';
import { TelegramLogin } from './telegram-login.entity.js';

/** Removes logins once they are too old to be replayed. */
@Injectable()
export class TelegramLoginsPurge extends PurgeJob {
  protected readonly name = 'telegram-logins.purge';
  protected readonly old = [oldRows(TelegramLogin, 'expiresAt', { keptSeconds: 0 })];
}
