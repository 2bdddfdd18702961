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
  readonly state?: string;
  readonly failure?: string;
  readonly messages?: readonly RoomMessage[];
  readonly error?: string;
  readonly code?: string;
}

/** Rooms of a deployment, over HTTP. Replace `fetch` to add a header, for instance. */
export function httpRooms(
  { baseUrl, environmentId, token }: { baseUrl: string; environmentId: string; token: string },
  send: typeof fetch = fetch,
): Rooms {
  const call = async (path: string, body?: object): Promise<readonly RoomMessage[]> => {
    const response = await send(`${baseUrl}/api/v0/sdk/${environmentId}/waas/rooms/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answer;
    if (!response.ok) throw new Error(answer.error ?? `The service answered ${response.status}.`);
    if (answer.failure) throw new Error(`The ceremony was aborted: ${answer.failure}`);
    return answer.messages ?? [];
  };
  return {
    post: (roomId, message) => call(`${roomId}/messages`, { message }),
    read: (roomId, after) => call(`${roomId}/messages?after=${after}&waitSeconds=20`),
  };
}
