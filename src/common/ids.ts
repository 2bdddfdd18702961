import { v5, v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A row id: UUIDv7 (RFC 9562 §5.7), ordered by time so that inserts stay at the end of an index. Never a secret. */
export const newId = (): string => v7();

/** A UUIDv5 (RFC 9562 §5.5): always the same for the same name. */
export const idOfName = (name: string): string => v5(name, v5.URL);

/** True for the 36-character text form of any UUID. */
export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && value.length === 36 && UUID.test(value);
