import { callsTo, type Deployment } from './service.js';

/** A message in a room, with its sequence number. */
export interface RoomMessage {
  readonly sequence: number;
  readonly sender: 'client' | 'server';
  readonly message: Readonly<Record<string, unknown>>;
}

/** The two operations that carry the messages of a ceremony. */
export interface Rooms {
  /** @returns the messages after the posted one */
  post(roomId: string, message: object): Promise<readonly RoomMessage[]>;
  /** Waits for a message after `after`, or for the room to end. */
  read(roomId: string, after: number): Promise<readonly RoomMessage[]>;
}

/** Rooms whose first message is already known from the response that opened them, which saves a request. */
export function openedRooms(rooms: Rooms, opening: RoomMessage['message'] | undefined): Rooms {
  if (!opening) return rooms;
  return {
    post: (roomId, message) => rooms.post(roomId, message),
    read: (roomId, after) =>
      after === 0 ? Promise.resolve([{ sequence: 1, sender: 'server', message: opening }]) : rooms.read(roomId, after),
  };
}

/** The message of the given type. @throws Error when there is none */
export function messageOf<T>(messages: readonly RoomMessage[], type: string): T {
  const found = messages.find(({ message }) => message['type'] === type);
  if (!found) throw new Error(`The room has no message of type ${type}.`);
  return found.message as T;
}

interface Answer {
  readonly failure?: string | null;
  readonly messages?: readonly RoomMessage[];
}

/** Rooms of a deployment, over HTTP. Replace `fetch` to add a header, for instance. */
export function httpRooms(deployment: Deployment, send: typeof fetch = fetch): Rooms {
  const call = callsTo(deployment, send);
  const messagesOf = ({ failure, messages = [] }: Answer): readonly RoomMessage[] => {
    if (failure) throw new Error(`The ceremony was aborted: ${failure}`);
    return messages;
  };
  return {
    post: async (roomId, message) => messagesOf(await call(`waas/rooms/${roomId}/messages`, { message })),
    read: async (roomId, after) =>
      messagesOf(await call(`waas/rooms/${roomId}/messages?after=${after}&waitSeconds=20`)),
  };
}
