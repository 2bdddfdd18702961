import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '../../common/ids.js';
import { claimedMessage } from './claimed-message.fixture.js';
import type { ClaimedMessage } from './claimed-message.js';
import { DeliveryLanes } from './delivery-lanes.js';
import type { Pace } from './lane.js';

const messagesOf = (webhookId: string, count: number, environmentId = webhookId): ClaimedMessage[] =>
  Array.from({ length: count }, () => claimedMessage({ webhookId, environmentId }));

describe('delivery lanes', () => {
  let lanes: DeliveryLanes;
  const a = newId();
  const b = newId();

  const claim = (...messages: ClaimedMessage[]): void => lanes.accept(lanes.offer(0), messages, 0);
  const sendAll = (): ClaimedMessage[] => {
    const sent: ClaimedMessage[] = [];
    for (let next = lanes.next(); next; next = lanes.next()) sent.push(next);
    return sent;
  };
  const finish = (webhookId: string, pace: Pace): void => {
    lanes.settle(webhookId, pace);
    lanes.close(1, 0);
  };
  const roomOf = (webhookId: string, now = 0): number | undefined => {
    const { webhookIds, rooms } = lanes.offer(now);
    return rooms[webhookIds.indexOf(webhookId)];
  };

  beforeEach(() => {
    lanes = new DeliveryLanes();
  });

  it('send five requests to one webhook at a time, and no more while its receiver is slow', () => {
    claim(...messagesOf(a, 8));
    expect(sendAll()).toHaveLength(5);
    finish(a, 'slow');
    expect(sendAll()).toHaveLength(1);
  });

  it('send one more with each quick answer, up to twenty, and five again after a slow one', () => {
    claim(...messagesOf(a, 60));
    let underWay = sendAll().length;
    for (let answers = 1; answers <= 20; answers += 1) {
      finish(a, 'quick');
      underWay += sendAll().length - 1;
      expect(underWay).toBe(Math.min(20, 5 + answers));
    }
    finish(a, 'slow');
    expect(sendAll()).toHaveLength(0);
  });

  it('take turns, so that a long lane does not delay a short one', () => {
    claim(...messagesOf(a, 5), ...messagesOf(b, 2));
    expect(
      sendAll()
        .map(({ webhookId }) => (webhookId === a ? 'a' : 'b'))
        .join(''),
    ).toBe('ababaaa');
  });

  it('send at most twenty requests for one environment, and give every environment its turn', () => {
    const tenant = newId();
    claim(...Array.from({ length: 10 }, () => messagesOf(newId(), 4, tenant)).flat(), ...messagesOf(b, 3));
    const sent = sendAll();
    expect(sent.filter(({ environmentId }) => environmentId === tenant)).toHaveLength(20);
    expect(sent.slice(0, 6).filter(({ environmentId }) => environmentId === b)).toHaveLength(3);
  });

  it('offer an environment no more than its room, and more while its receivers are quick', () => {
    const tenant = newId();
    const hooks = Array.from({ length: 9 }, () => newId());
    claim(...hooks.flatMap((hook) => messagesOf(hook, 5, tenant)));
    expect(lanes.offer(0)).toMatchObject({ environmentIds: [tenant], environmentRooms: [0] });
    expect(lanes.hungry).toBe(false);
    sendAll();
    for (const hook of hooks.slice(0, 4)) finish(hook, 'quick');
    expect(lanes.offer(0).environmentRooms).toEqual([7]);
  });

  it('ask again for an environment that had no room when others were claimed', () => {
    const tenant = newId();
    const hooks = Array.from({ length: 8 }, () => newId());
    claim(...hooks.flatMap((hook) => messagesOf(hook, 5, tenant)));
    claim(...messagesOf(b, 1));
    for (const { webhookId } of sendAll()) finish(webhookId, 'slow');
    expect(lanes.hungry).toBe(true);
  });

  it('give receivers that hang a quarter of all places, however many tenants have them', () => {
    const hooks = Array.from({ length: 40 }, () => newId());
    for (const hook of hooks) {
      claim(...messagesOf(hook, 1));
      sendAll();
      finish(hook, 'hanging');
    }
    claim(...hooks.flatMap((hook) => messagesOf(hook, 1)), ...messagesOf(a, 5));
    const sent = sendAll();
    expect(sent.filter(({ webhookId }) => webhookId === a)).toHaveLength(5);
    expect(sent).toHaveLength(21);
    finish(sent.find(({ webhookId }) => webhookId !== a)!.webhookId, 'hanging');
    expect(sendAll()).toHaveLength(1);
  });

  it('keep what they know of a receiver that was not asked', () => {
    claim(...messagesOf(a, 1));
    sendAll();
    finish(a, 'hanging');
    claim(...messagesOf(a, 1));
    sendAll();
    lanes.settle(a, null);
    lanes.close(1, 0);
    expect(roomOf(a)).toBe(1);
  });

  it('send at most 64 requests in all', () => {
    claim(...Array.from({ length: 20 }, () => messagesOf(newId(), 5)).flat());
    expect(sendAll()).toHaveLength(64);
  });

  it('offer no room at all when 256 messages are open', () => {
    claim(...Array.from({ length: 64 }, () => messagesOf(newId(), 4)).flat());
    expect(lanes.offer(0).limit).toBe(0);
    lanes.close(1, 0);
    expect(lanes.offer(0).limit).toBe(1);
  });

  it('reach further ahead while the receiver is quick, and back when it fails', () => {
    claim(...messagesOf(a, 5));
    sendAll();
    expect(roomOf(a)).toBe(0);
    finish(a, 'quick');
    expect(roomOf(a)).toBe(3);
    finish(a, 'slow');
    expect(roomOf(a)).toBe(2);
  });

  it('give a receiver that hangs one place until it answers', () => {
    claim(...messagesOf(a, 5));
    sendAll();
    for (let n = 0; n < 5; n++) finish(a, 'hanging');
    expect(roomOf(a)).toBe(1);
    claim(...messagesOf(a, 2));
    expect(sendAll()).toHaveLength(1);
    finish(a, 'slow');
    claim(...messagesOf(a, 5));
    expect(sendAll()).toHaveLength(5);
  });

  it('ask for a claim when one has been filled and half of it is sent', () => {
    claim(...messagesOf(a, 5));
    sendAll();
    for (const hungry of [false, false, true]) {
      finish(a, 'slow');
      expect(lanes.hungry).toBe(hungry);
    }
    claim();
    expect(lanes.hungry).toBe(false);
  });

  it('ask again for a lane that had no room when others were claimed', () => {
    claim(...messagesOf(a, 5));
    sendAll();
    claim(...messagesOf(b, 1));
    for (let n = 0; n < 5; n++) finish(a, 'slow');
    expect(lanes.hungry).toBe(true);
  });

  it('ask again for a lane that had no room when a claim began and was idle when it ended', () => {
    claim(...messagesOf(a, 5));
    sendAll();
    finish(a, 'quick');
    claim(...messagesOf(a, 2));
    sendAll();
    finish(a, 'slow');
    sendAll();
    expect(roomOf(a)).toBe(0);
    const room = lanes.offer(0);
    for (let n = 0; n < 5; n++) finish(a, 'slow');
    lanes.accept(room, [], 0);
    expect(lanes.hungry).toBe(true);
  });

  it('do not ask again after a claim that brought less than there was room for', () => {
    claim(...messagesOf(a, 4));
    sendAll();
    for (let n = 0; n < 4; n++) finish(a, 'quick');
    expect(lanes.hungry).toBe(false);
  });

  it('take nothing for a webhook that rests', () => {
    claim(...messagesOf(a, 2));
    sendAll();
    lanes.rest(a, 1000);
    lanes.settle(a, 'slow');
    expect(roomOf(a, 999)).toBe(0);
    expect(lanes.hungry).toBe(false);
    expect(roomOf(a, 1000)).toBe(4);
  });

  it('give back what waits for one webhook, or for all', () => {
    claim(...messagesOf(a, 3), ...messagesOf(b, 2));
    expect(lanes.drain(a).map(({ webhookId }) => webhookId)).toEqual([a, a, a]);
    expect(lanes.drain()).toHaveLength(2);
    expect(lanes.next()).toBeNull();
  });

  it('forget a webhook once nothing is left of it', () => {
    claim(...messagesOf(a, 1));
    sendAll();
    finish(a, 'quick');
    expect(lanes.offer(0).webhookIds).toEqual([]);
    expect(lanes.sendingAny).toBe(false);
  });
});
