import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';

export interface InboxEntry {
  id: string;
  at: Date;
  channel: 'email' | 'sms';
  to: string;
  subject: string | null;
  text: string;
  code: string | null;
}

const MAX_ENTRIES = 200;

/** Messages that would have been sent, kept in memory for developers. Empty in production. */
@Injectable()
export class DevInbox {
  private readonly kept: InboxEntry[] = [];

  constructor(private readonly clock: Clock) {}

  add(entry: Omit<InboxEntry, 'id' | 'at'>): void {
    this.kept.unshift({ id: randomUUID(), at: this.clock.now(), ...entry });
    this.kept.length = Math.min(this.kept.length, MAX_ENTRIES);
  }

  /** Newest first, at most 200. */
  get entries(): readonly InboxEntry[] {
    return this.kept;
  }
}
