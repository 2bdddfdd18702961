import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../clock.js';
import { LogRecord, type LogFields } from '../log-record.js';
import { SECURITY_EVENTS, SecurityEvent } from './security-event.js';

/** Maximum number of lines per event and second, so that an attack cannot fill the disk. */
const MOST_LINES = 100;
const WINDOW_MS = 1_000;

interface Window {
  startedAt: number;
  lines: number;
  leftOut: number;
}

/**
 * Logs and counts each event. Lines identify operations, tenants and callers by id, without addresses, credentials or
 * client input.
 */
@Injectable()
export class SecurityLog implements OnApplicationShutdown {
  private readonly log = new Logger('Security');
  private readonly counted = new Map<SecurityEvent, number>();
  private readonly windows = new Map<SecurityEvent, Window>();

  constructor(private readonly clock: Clock) {}

  record(event: SecurityEvent, fields: LogFields = {}): void {
    this.counted.set(event, this.count(event) + 1);
    const window = this.windowOf(event);
    if (window.lines >= MOST_LINES) {
      if (window.leftOut === 0) setTimeout(() => this.sayLeftOut(event, window), WINDOW_MS).unref();
      window.leftOut += 1;
      return;
    }
    window.lines += 1;
    this.write(event, SECURITY_EVENTS[event].means, fields);
  }

  /** The count since the process started, including events without a line. */
  count(event: SecurityEvent): number {
    return this.counted.get(event) ?? 0;
  }

  /** Before the process ends, and the number of suppressed lines with it. */
  onApplicationShutdown(): void {
    for (const [event, window] of this.windows) this.sayLeftOut(event, window);
  }

  /** The current window. Lines suppressed in the previous one are reported when a new one opens, or at its end. */
  private windowOf(event: SecurityEvent): Window {
    const now = this.clock.timestamp();
    const known = this.windows.get(event);
    if (known && now >= known.startedAt && now - known.startedAt < WINDOW_MS) return known;
    if (known) this.sayLeftOut(event, known);
    const window = { startedAt: now, lines: 0, leftOut: 0 };
    this.windows.set(event, window);
    return window;
  }

  private sayLeftOut(event: SecurityEvent, window: Window): void {
    if (window.leftOut > 0) this.write(event, 'Lines were left out.', { count: window.leftOut });
    window.leftOut = 0;
  }

  private write(event: SecurityEvent, text: string, fields: LogFields): void {
    const record = new LogRecord(text, { security: event, ...fields });
    if (SECURITY_EVENTS[event].kind === 'refusal') this.log.warn(record);
    else this.log.log(record);
  }
}
