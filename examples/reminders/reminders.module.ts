import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Reminder } from './reminder.entity.js';
import { RemindersJob } from './reminders.job.js';
import { RemindersPurge } from './reminders-purge.job.js';
import { RemindersRepository } from './reminders.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([Reminder])],
  providers: [RemindersRepository, RemindersJob, RemindersPurge],
  exports: [RemindersRepository],
})
export class RemindersModule {}
