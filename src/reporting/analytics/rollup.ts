import type { FactKind, PersonKind } from './analytics.entities.js';
import { slotsAt, type Level } from './slots.js';

/** Positions per row of a set. */
export const CHUNK = 32_768;
const CHUNK_BYTES = CHUNK / 8;

export interface Fact {
  kind: FactKind;
  at: Date;
  userId: string | null;
  visitorId: string | null;
  chain: string;
  name: string;
  system: string;
  amount: number;
}

export interface CountRow {
  measure: string;
  level: Level;
  slot: Date;
  chain: string;
  name: string;
  count: number;
}

export interface PresenceRow {
  kind: PersonKind;
  level: Level;
  slot: Date;
  chunk: number;
  bits: Buffer;
}

/** What a fact is added to, by measure. */
const MEASURES: Record<FactKind, (fact: Fact) => [measure: string, chain: string, name: string][]> = {
  session: ({ name, system }) => [
    ['sessions', '', ''],
    ['sessions.method', '', name],
    ['sessions.system', '', system],
  ],
  visit: () => [['visits', '', '']],
  wallet: ({ chain, name }) => [['wallets', chain, name]],
};

/** Sums of the given facts in key order, so that concurrent writers queue instead of deadlocking. */
export function countsOf(facts: readonly Fact[]): CountRow[] {
  const rows = new Map<string, CountRow>();
  for (const fact of facts) {
    for (const [measure, chain, name] of MEASURES[fact.kind](fact)) {
      for (const { level, start } of slotsAt(fact.at.getTime())) {
        const key = JSON.stringify([measure, level, start, chain, name]);
        const row = rows.get(key) ?? { measure, level, slot: new Date(start), chain, name, count: 0 };
        row.count += fact.amount;
        rows.set(key, row);
      }
    }
  }
  return inOrder(rows);
}

/** Sets of active people. @param placeOf positions of users and visitors by id */
export function presenceOf(facts: readonly Fact[], placeOf: ReadonlyMap<string, number>): PresenceRow[] {
  const rows = new Map<string, PresenceRow>();
  for (const { at, userId, visitorId } of facts) {
    const place = placeOf.get(userId ?? visitorId ?? '');
    if (place === undefined) continue;
    const kind = userId === null ? 'visitor' : 'user';
    const chunk = Math.floor(place / CHUNK);
    const bit = place % CHUNK;
    for (const { level, start } of slotsAt(at.getTime())) {
      const key = JSON.stringify([kind, level, start, chunk]);
      const row = rows.get(key) ?? { kind, level, slot: new Date(start), chunk, bits: Buffer.alloc(CHUNK_BYTES) };
      // The first bit of a bit string is the most significant bit of its first byte.
      row.bits[bit >> 3]! |= 0x80 >> (bit & 7);
      rows.set(key, row);
    }
  }
  return inOrder(rows);
}

const inOrder = <R>(rows: Map<string, R>): R[] =>
  [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
