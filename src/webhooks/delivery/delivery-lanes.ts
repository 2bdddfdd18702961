import type { ClaimedMessage } from './claimed-message.js';

/** Requests under way, in this process. */
const MAX_SENDING = 64;
/** Messages claimed and not yet recorded, in this process. */
const MAX_OPEN = 256;
/** Requests under way to one webhook. */
export const LANE_WIDTH = 5;
/** The most under way to a webhook whose receiver keeps answering quickly. */
const WIDEST = 20;
/** Messages claimed for one webhook at a time: how far ahead of its receiver this process may reach. */
const MAX_WINDOW = 64;
const MAX_REMEMBERED = 1000;

/** How a receiver took a message: `quick` within {@link QUICK_MS}, `hanging` not before the deadline. */
export type Pace = 'quick' | 'slow' | 'hanging';

/** With this pace the last message of a full window waits about three seconds for its turn. */
export const QUICK_MS = 250;

interface Lane {
  readonly waiting: ClaimedMessage[];
  sending: number;
  /** Requests that may be under way: one while the receiver hangs, so that it cannot take the places of others. */
  width: number;
  /** Messages that may be waiting and under way. */
  window: number;
  /** Whether the last claim may have left messages behind. */
  more: boolean;
  /** Takes nothing before this time. */
  restsUntil: number;
}

function widthAfter(pace: Pace, width: number): number {
  if (pace === 'hanging') return 1;
  return pace === 'quick' ? Math.min(WIDEST, Math.max(width, LANE_WIDTH) + 1) : LANE_WIDTH;
}

/** Room that a claim may fill, for each webhook that has less than the default. */
export interface Room {
  limit: number;
  webhookIds: string[];
  rooms: number[];
}

/**
 * Who may send next. Each webhook has a lane of its own, and lanes take turns, so a receiver that hangs or has a long
 * backlog delays no other. A lane reaches further ahead while its receiver answers, and back to the start when not.
 */
export class DeliveryLanes {
  private readonly lanes = new Map<string, Lane>();
  private sending = 0;
  private unrecorded = 0;
  private waiting = 0;
  /** Whether the last claim ended at the limit, so that other webhooks may be waiting, too. */
  private cut = false;

  /** What the next claim may take. @param now on the clock of `rest` */
  offer(now: number): Room {
    const room: Room = { limit: Math.max(0, MAX_OPEN - this.unrecorded), webhookIds: [], rooms: [] };
    this.cut = room.limit === 0;
    for (const [webhookId, lane] of this.lanes) {
      room.webhookIds.push(webhookId);
      const free = Math.max(0, lane.window - lane.waiting.length - lane.sending);
      const resting = lane.restsUntil > now;
      room.rooms.push(resting ? 0 : free);
      // Left out now, even if it is idle by the time the claim returns.
      if (free === 0 && !resting) lane.more = true;
    }
    return room;
  }

  /** Takes over what a claim brought. */
  accept(room: Room, claimed: readonly ClaimedMessage[], now: number): void {
    const taken = new Map<string, number>();
    for (const message of claimed) {
      taken.set(message.webhookId, (taken.get(message.webhookId) ?? 0) + 1);
      this.lane(message.webhookId).waiting.push(message);
    }
    this.waiting += claimed.length;
    this.unrecorded += claimed.length;
    const offered = new Map(room.webhookIds.map((id, at) => [id, room.rooms[at] ?? 0]));
    this.cut = claimed.length >= room.limit;
    for (const [webhookId, lane] of this.lanes) {
      if (lane.restsUntil > now) continue;
      lane.more = (taken.get(webhookId) ?? 0) >= Math.min(offered.get(webhookId) ?? LANE_WIDTH, LANE_WIDTH);
    }
  }

  /** The next message to send, or null while every place is taken or nothing waits. */
  next(): ClaimedMessage | null {
    if (this.sending >= MAX_SENDING || this.waiting === 0) return null;
    for (const [webhookId, lane] of this.lanes) {
      if (lane.sending >= lane.width) continue;
      const message = lane.waiting.shift();
      if (!message) continue;
      lane.sending += 1;
      this.sending += 1;
      this.waiting -= 1;
      // To the end of the line, which is the order of the map.
      this.lanes.delete(webhookId);
      this.lanes.set(webhookId, lane);
      return message;
    }
    return null;
  }

  /** A place is free again. */
  settle(webhookId: string, pace: Pace): void {
    const lane = this.lane(webhookId);
    lane.sending -= 1;
    this.sending -= 1;
    lane.width = widthAfter(pace, lane.width);
    lane.window = pace === 'quick' ? Math.min(MAX_WINDOW, Math.max(lane.window, LANE_WIDTH) + 2) : lane.width;
  }

  /** Takes nothing for a webhook until a time, for a fault that has nothing to do with its receiver. */
  rest(webhookId: string, until: number): void {
    const lane = this.lane(webhookId);
    lane.restsUntil = until;
    lane.more = false;
  }

  /** Gives up what waits for a webhook. The caller hands the messages back. */
  drain(webhookId?: string): ClaimedMessage[] {
    const drained: ClaimedMessage[] = [];
    for (const [id, lane] of this.lanes) {
      if (webhookId === undefined || id === webhookId) drained.push(...lane.waiting.splice(0));
    }
    this.waiting -= drained.length;
    return drained;
  }

  /** Messages are recorded, or handed back. */
  close(count: number, now: number): void {
    this.unrecorded -= count;
    for (const [webhookId, lane] of this.lanes) {
      const idle = lane.sending === 0 && lane.waiting.length === 0 && !lane.more && lane.restsUntil <= now;
      if (idle && (lane.width >= LANE_WIDTH || this.lanes.size > MAX_REMEMBERED)) this.lanes.delete(webhookId);
    }
  }

  /** Whether a claim would find room where messages may have been left behind. */
  get hungry(): boolean {
    if (this.cut && 2 * this.unrecorded <= MAX_OPEN) return true;
    if (this.unrecorded >= MAX_OPEN) return false;
    for (const lane of this.lanes.values()) {
      if (lane.more && 2 * (lane.waiting.length + lane.sending) <= lane.window) return true;
    }
    return false;
  }

  get sendingAny(): boolean {
    return this.sending > 0;
  }

  private lane(webhookId: string): Lane {
    let lane = this.lanes.get(webhookId);
    if (!lane) {
      lane = { waiting: [], sending: 0, width: LANE_WIDTH, window: LANE_WIDTH, more: false, restsUntil: 0 };
      this.lanes.set(webhookId, lane);
    }
    return lane;
  }
}
