import { Injectable } from '@nestjs/common';
import { oldRows } from '../../src/database/index.js';
import { PurgeJob } from '../../src/queue/index.js';
import { Reminder } from './reminder.entity.js';

/** Removes reminders a week after they were sent. */
@Injectable()
export class RemindersPurge extends PurgeJob {
  protected readonly name = 'reminders.purge';
  protected readonly old = [oldRows(Reminder, 'sentAt', { keptSeconds: 604_800 })];
}
