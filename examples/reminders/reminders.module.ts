import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MovingModule } from '../../src/moving/index.js';
import { Reminder } from './reminder.entity.js';
import { RemindersJob } from './reminders.job.js';
import { RemindersMoving } from './reminders.moving.js';
import { RemindersPurge } from './reminders-purge.job.js';
import { RemindersRepository } from './reminders.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([Reminder]), MovingModule],
  providers: [RemindersRepository, RemindersJob, RemindersMoving, RemindersPurge],
})
export class RemindersModule {}
