import type { RoomMessage, Rooms } from '../../clients/custody/src/index.js';
import type { World } from './world.js';

/** Rooms of one session, through the client that holds every answer against the document. */
export function roomsOf(world: World, token: string): Rooms {
  const path = (roomId: string): string => world.sdk(`/waas/rooms/${roomId}/messages`);
  return {
    post: async (roomId, message) => {
      const options = { token, expect: 200 };
      const { body } = await world.anonymous.post<{ messages: RoomMessage[] }>(path(roomId), { message }, options);
      return body.messages;
    },
    read: async (roomId, after) => {
      const options = { token, expect: 200 };
      const { body } = await world.anonymous.get<{ messages: RoomMessage[] }>(
        `${path(roomId)}?after=${after}`,
        options,
      );
      return body.messages;
    },
  };
}
