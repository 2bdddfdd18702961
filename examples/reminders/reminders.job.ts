import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../src/common/clock.js';
import { Jobs } from '../../src/queue/index.js';
import { RemindersRepository } from './reminders.repository.js';

/** Logs the reminders of the day every morning. */
@Injectable()
export class RemindersJob implements OnModuleInit {
  private readonly log = new Logger('Reminders');

  constructor(
    private readonly jobs: Jobs,
    private readonly reminders: RemindersRepository,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.daily('reminders.send', '06:30', () => this.run());
  }

  /** Repeats until none are due: any left over would wait until the next morning. */
  async run(): Promise<void> {
    const now = this.clock.now();
    for (let some = await this.reminders.listDue(now); some.length > 0; some = await this.reminders.listDue(now)) {
      for (const due of some) {
        if (this.jobs.isStopping) return;
        if (await this.reminders.markSent(due, now)) this.log.warn(`environment=${due.environmentId} ${due.text}`);
      }
    }
  }
}
