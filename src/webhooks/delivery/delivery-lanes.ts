import type { ClaimedMessage } from './claimed-message.js';
import { Lane, LANE_WIDTH, Tenant, TENANT_WIDTH, type Pace } from './lane.js';

/** Maximum requests in flight in this process. */
const MAX_SENDING = 64;
/** And of those, to receivers whose last request timed out: however many of them, they slow down nobody else. */
const MAX_TO_HANGING = 16;
/** Maximum messages claimed and not yet recorded, in this process. */
const MAX_OPEN = 256;
const MAX_REMEMBERED = 1000;

/** What a claim may take, for each webhook and environment that has less room than the default. */
export interface Room {
  limit: number;
  webhookIds: string[];
  rooms: number[];
  environmentIds: string[];
  environmentRooms: number[];
}

/**
 * Decides who may send next. Environments take turns, and each webhook has its own lane, so neither a hanging receiver,
 * nor a long backlog, nor a tenant with many of them delays others. A lane claims further ahead while its receiver
 * responds, and falls back to the start when it does not.
 */
export class DeliveryLanes {
  private readonly lanes = new Map<string, Lane>();
  /** In turn order. */
  private readonly tenants = new Map<string, Tenant>();
  private sending = 0;
  private sendingToHanging = 0;
  private unrecorded = 0;
  private waiting = 0;
  /** Whether the last claim reached the limit, so that other webhooks may have messages waiting too. */
  private cut = false;

  /** What the next claim may take. @param now by the same clock as `rest` */
  offer(now: number): Room {
    const limit = Math.max(0, MAX_OPEN - this.unrecorded);
    const room: Room = { limit, webhookIds: [], rooms: [], environmentIds: [], environmentRooms: [] };
    this.cut = limit === 0;
    for (const tenant of this.tenants.values()) {
      room.environmentIds.push(tenant.environmentId);
      room.environmentRooms.push(tenant.free);
      if (tenant.free === 0) tenant.more = true;
    }
    for (const lane of this.lanes.values()) {
      const resting = lane.restsUntil > now;
      const free = Math.min(lane.free, lane.tenant.free);
      room.webhookIds.push(lane.webhookId);
      room.rooms.push(resting ? 0 : free);
      // Skipped by this claim, even if it is idle by the time the claim returns.
      if (free === 0 && !resting) lane.more = true;
    }
    return room;
  }

  /**
   * Accepts the messages of a claim.
   * @param granted the most the claim would have taken for a webhook, if less than requested
   */
  accept(
    room: Room,
    claimed: readonly ClaimedMessage[],
    now: number,
    granted: ReadonlyMap<string, number> = new Map(),
  ): void {
    const taken = new Map<string, number>();
    for (const message of claimed) {
      taken.set(message.webhookId, (taken.get(message.webhookId) ?? 0) + 1);
      const lane = this.lane(message);
      lane.waiting.push(message);
      lane.tenant.waiting += 1;
    }
    this.waiting += claimed.length;
    this.unrecorded += claimed.length;
    const offered = new Map(room.webhookIds.map((id, at) => [id, room.rooms[at] ?? 0]));
    const full = new Set(room.environmentIds.filter((_, at) => room.environmentRooms[at] === 0));
    this.cut = claimed.length >= room.limit;
    for (const tenant of this.tenants.values()) tenant.more = full.has(tenant.environmentId);
    for (const [webhookId, lane] of this.lanes) {
      if (lane.restsUntil > now) continue;
      const most = Math.min(offered.get(webhookId) ?? LANE_WIDTH, granted.get(webhookId) ?? LANE_WIDTH, LANE_WIDTH);
      lane.more = (taken.get(webhookId) ?? 0) >= most;
    }
  }

  /** The next message to send, or null if all slots are taken or nothing waits. */
  next(): ClaimedMessage | null {
    if (this.sending >= MAX_SENDING || this.waiting === 0) return null;
    for (const tenant of this.tenants.values()) {
      if (tenant.waiting === 0 || tenant.sending >= TENANT_WIDTH) continue;
      for (const lane of tenant.lanes.values()) {
        const message = this.mayStart(lane) ? lane.waiting.shift() : undefined;
        if (message) return this.start(message, lane);
      }
    }
    return null;
  }

  /** Frees a slot. @param pace null if no request was made */
  settle(webhookId: string, pace: Pace | null): void {
    const lane = this.lanes.get(webhookId);
    if (!lane) return;
    if (lane.hangs) this.sendingToHanging -= lane.sending;
    lane.sending -= 1;
    lane.tenant.sending -= 1;
    this.sending -= 1;
    if (pace) {
      lane.note(pace);
      lane.tenant.note(pace);
    }
    if (lane.hangs) this.sendingToHanging += lane.sending;
  }

  /** Takes nothing for a webhook until a given time, after a fault unrelated to its receiver. */
  rest(webhookId: string, until: number): void {
    const lane = this.lanes.get(webhookId);
    if (!lane) return;
    lane.restsUntil = until;
    lane.more = false;
  }

  /** Removes the messages waiting for a webhook. The caller hands them back. */
  drain(webhookId?: string): ClaimedMessage[] {
    const drained: ClaimedMessage[] = [];
    for (const [id, lane] of this.lanes) {
      if (webhookId !== undefined && id !== webhookId) continue;
      lane.tenant.waiting -= lane.waiting.length;
      drained.push(...lane.waiting.splice(0));
    }
    this.waiting -= drained.length;
    return drained;
  }

  /** Messages were recorded or handed back. */
  close(count: number, now: number): void {
    this.unrecorded -= count;
    for (const lane of this.lanes.values()) {
      const idle = lane.sending === 0 && lane.waiting.length === 0 && !lane.more && lane.restsUntil <= now;
      if (idle && (!lane.hangs || this.lanes.size > MAX_REMEMBERED)) this.forget(lane);
    }
  }

  /** Whether there is room for a claim where messages may have been left behind. */
  get hungry(): boolean {
    if (this.cut && 2 * this.unrecorded <= MAX_OPEN) return true;
    if (this.unrecorded >= MAX_OPEN) return false;
    for (const tenant of this.tenants.values()) if (tenant.more && 2 * tenant.open <= tenant.window) return true;
    for (const lane of this.lanes.values()) {
      if (lane.more && lane.tenant.free > 0 && 2 * (lane.waiting.length + lane.sending) <= lane.window) return true;
    }
    return false;
  }

  get sendingAny(): boolean {
    return this.sending > 0;
  }

  private mayStart(lane: Lane): boolean {
    if (lane.waiting.length === 0 || lane.sending >= lane.width) return false;
    return !lane.hangs || this.sendingToHanging < MAX_TO_HANGING;
  }

  private start(message: ClaimedMessage, lane: Lane): ClaimedMessage {
    const { tenant } = lane;
    lane.sending += 1;
    tenant.sending += 1;
    tenant.waiting -= 1;
    this.sending += 1;
    this.waiting -= 1;
    if (lane.hangs) this.sendingToHanging += 1;
    // Moves both to the end of their queues, which are the insertion orders of the maps.
    tenant.lanes.delete(lane.webhookId);
    tenant.lanes.set(lane.webhookId, lane);
    this.tenants.delete(tenant.environmentId);
    this.tenants.set(tenant.environmentId, tenant);
    return message;
  }

  private lane({ webhookId, environmentId }: ClaimedMessage): Lane {
    const known = this.lanes.get(webhookId);
    if (known) return known;
    const tenant = this.tenants.get(environmentId) ?? new Tenant(environmentId);
    this.tenants.set(environmentId, tenant);
    const lane = new Lane(webhookId, tenant);
    tenant.lanes.set(webhookId, lane);
    this.lanes.set(webhookId, lane);
    return lane;
  }

  private forget(lane: Lane): void {
    this.lanes.delete(lane.webhookId);
    lane.tenant.lanes.delete(lane.webhookId);
    if (lane.tenant.lanes.size === 0) this.tenants.delete(lane.tenant.environmentId);
  }
}
