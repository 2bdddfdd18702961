import type { ClaimedMessage } from './claimed-message.js';

/** Concurrent requests to one webhook. */
export const LANE_WIDTH = 5;
/** The maximum for a webhook whose receiver keeps responding quickly. */
const WIDEST = 20;
/** Messages claimed for one webhook at a time: how far ahead of its receiver this process may reach. */
const MAX_WINDOW = 64;
/** Concurrent requests for one environment, however many webhooks it has. */
export const TENANT_WIDTH = 20;
/** Messages claimed for one environment at a time, unless its receivers are quick. */
export const TENANT_WINDOW = 2 * TENANT_WIDTH;
/** The maximum for an environment whose receivers are quick. */
const MAX_TENANT_WINDOW = 256;

/** How a receiver handled a message: `quick` within {@link QUICK_MS}, `hanging` if it timed out. */
export type Pace = 'quick' | 'slow' | 'hanging';

/** At this pace the last message of a full window waits about three seconds for its turn. */
export const QUICK_MS = 250;

/** The open messages of one webhook. */
export class Lane {
  readonly waiting: ClaimedMessage[] = [];
  sending = 0;
  /** Maximum concurrent requests: one while the receiver hangs, so that it cannot take the slots of others. */
  width = LANE_WIDTH;
  /** Maximum messages waiting and in flight. */
  window = LANE_WIDTH;
  /** Whether the last claim may have left messages behind. */
  more = false;
  /** Takes nothing before this time. */
  restsUntil = 0;

  constructor(
    readonly webhookId: string,
    readonly tenant: Tenant,
  ) {}

  get hangs(): boolean {
    return this.width === 1;
  }

  get free(): number {
    return Math.max(0, this.window - this.waiting.length - this.sending);
  }

  note(pace: Pace): void {
    if (pace === 'hanging') this.width = 1;
    else this.width = pace === 'quick' ? Math.min(WIDEST, Math.max(this.width, LANE_WIDTH) + 1) : LANE_WIDTH;
    this.window = pace === 'quick' ? Math.min(MAX_WINDOW, Math.max(this.window, LANE_WIDTH) + 2) : this.width;
  }
}

/** The open messages of one environment's webhooks. */
export class Tenant {
  readonly lanes = new Map<string, Lane>();
  sending = 0;
  waiting = 0;
  window = TENANT_WINDOW;
  /** Whether the last claim skipped its webhooks. */
  more = false;

  constructor(readonly environmentId: string) {}

  get open(): number {
    return this.waiting + this.sending;
  }

  get free(): number {
    return Math.max(0, this.window - this.open);
  }

  note(pace: Pace): void {
    this.window = pace === 'quick' ? Math.min(MAX_TENANT_WINDOW, this.window + 2) : this.shrunk(pace);
  }

  private shrunk(pace: Pace): number {
    return pace === 'hanging' ? TENANT_WINDOW : Math.max(TENANT_WINDOW, this.window - LANE_WIDTH);
  }
}
