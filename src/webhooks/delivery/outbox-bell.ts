import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Outbox } from '../../database/index.js';
import { JobQueue } from '../../queue/index.js';
import { DISPATCH_BELL } from './bells.js';

/** Every instance rings for the events it commits; those that run jobs answer. */
@Injectable()
export class OutboxBell implements OnModuleInit {
  constructor(
    private readonly outbox: Outbox,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.outbox.onCommit(() => this.queue.ring(DISPATCH_BELL));
  }
}
