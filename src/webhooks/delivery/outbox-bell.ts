import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Outbox } from '../../database/index.js';
import { JobQueue } from '../../queue/index.js';
import { DELIVER_BELL } from './bells.js';
import { LISTENING_WEBHOOKS } from './listening-webhooks.js';

/** Every instance turns the events it commits into messages and rings for them; instances that run jobs respond. */
@Injectable()
export class OutboxBell implements OnModuleInit {
  constructor(
    private readonly outbox: Outbox,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.outbox.tell(LISTENING_WEBHOOKS, () => this.queue.ring(DELIVER_BELL));
  }
}
