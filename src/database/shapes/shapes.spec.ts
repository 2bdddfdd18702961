import { describe, expect, it } from '@jest/globals';
import { Column, Entity } from 'typeorm';
import { EnvironmentEntity } from '../base.entities.js';
import { columnOf, tableOf } from './columns.js';
import { jsonOf, listJsonOf } from './compose.js';
import { constant, PRESENT, rowsOf } from './rows.js';

@Entity('planted_doors')
class Door extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  houseId!: string;

  @Column({ type: 'uuid', nullable: true })
  lockId!: string | null;

  @Column({ type: 'text' })
  kind!: 'front' | 'back';

  @Column({ type: 'boolean' })
  isOpen!: boolean;

  @Column({ type: 'timestamptz', nullable: true })
  lastOpenedAt!: Date | null;
}

@Entity('planted_locks')
class Lock extends EnvironmentEntity {
  @Column({ type: 'text' })
  maker!: string;

  @Column({ type: 'text' })
  code!: string;
}

const DOORS = rowsOf(Door);
const LOCKS = rowsOf(Lock, 'id', 'maker');
const lock = DOORS.beside('lock', LOCKS, { id: 'lockId' });

describe('a description of rows', () => {
  it.each([
    [
      'columns and constants',
      DOORS.fields({ id: 'id', open: 'isOpen', steel: constant(true) }),
      `json_build_object('id', d.id, 'open', d.is_open, 'steel', true)`,
    ],
    ['a column with an exception', DOORS.unless('kind', 'front'), `nullif(d.kind, 'front')`],
    [
      'a time',
      DOORS.moment('lastOpenedAt'),
      `to_char(d.last_opened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    ],
    ['whether a column is set', DOORS.isSet('lockId'), 'd.lock_id IS NOT NULL'],
    [
      'a column where conditions hold',
      DOORS.when({ kind: ['front', 'back'], lockId: PRESENT }, 'id'),
      `CASE WHEN (d.kind IN ('front', 'back') AND d.lock_id IS NOT NULL) THEN d.id END`,
    ],
    [
      'a column where one of them does',
      DOORS.when(DOORS.any({ lockId: null }, { isOpen: true }), 'id'),
      'CASE WHEN ((d.lock_id IS NULL) OR (d.is_open IN (true))) THEN d.id END',
    ],
    [
      'fields that are left out',
      DOORS.sparse({ id: 'id' }),
      `nullif(json_strip_nulls(json_build_object('id', d.id))::text, '{}')::json`,
    ],
    [
      'a row beside it',
      DOORS.fields({ by: lock.column('maker') }),
      `(SELECT json_build_object('by', lock.maker) FROM (SELECT) AS itself LEFT JOIN planted_locks AS lock ON lock.environment_id = d.environment_id AND lock.id = d.lock_id)`,
    ],
    [
      'a field of another row',
      DOORS.one(LOCKS, { id: 'lockId' }, 'maker'),
      '(SELECT r1.maker FROM planted_locks AS r1 WHERE r1.environment_id = d.environment_id AND r1.id = d.lock_id)',
    ],
    [
      'whether there is another row',
      DOORS.has(LOCKS, { id: ['lockId', 'id'] }, { maker: 'ours' }),
      `EXISTS (SELECT FROM planted_locks AS r1 WHERE r1.environment_id = d.environment_id AND r1.id IN (d.lock_id, d.id) AND (r1.maker IN ('ours')))`,
    ],
  ])('becomes the text of %s', (_, shape, text) => {
    expect(jsonOf(shape, Door, 'd')).toBe(text);
  });

  it('becomes the list of a subject, with rows beside those of the list, and no more of them than it says', () => {
    const fields = { id: 'id', by: lock.column('maker') } as const;
    const rows = DOORS.listed({
      subject: 'houseId',
      where: { isOpen: true },
      order: ['-createdAt', 'id'],
      most: 5,
      fields,
    });
    expect(listJsonOf(rows, 'h')).toBe(
      "coalesce((SELECT json_agg(json_build_object('id', r1.id, 'by', lock.maker) ORDER BY r1.created_at DESC, r1.id) " +
        'FROM (SELECT r1.* FROM planted_doors AS r1 WHERE r1.environment_id = h.environment_id AND r1.house_id = h.id ' +
        'AND (r1.is_open IN (true)) ORDER BY r1.created_at DESC, r1.id LIMIT 5) AS r1 ' +
        "LEFT JOIN planted_locks AS lock ON lock.environment_id = r1.environment_id AND lock.id = r1.lock_id), '[]'::json)",
    );
    const made = DOORS.listed({
      subject: 'houseId',
      where: lock.is({ maker: 'ours' }),
      order: ['id'],
      fields: { id: 'id' },
    });
    expect(listJsonOf(made, 'h')).toContain('lock.id = r1.lock_id WHERE r1.environment_id = h.environment_id');
    expect(jsonOf(LOCKS.listOf(rows), Lock, 'l')).toContain('FROM (SELECT r1.* FROM planted_doors AS r1');
  });

  it('names columns of its entity and no others, and of those only what the context that owns them shows', () => {
    expect([tableOf(Door), columnOf(Door, 'lastOpenedAt'), columnOf(Door, 'environmentId')]).toEqual([
      'planted_doors',
      'last_opened_at',
      'environment_id',
    ]);
    expect(() => columnOf(Door, 'id) FROM users --')).toThrow('has no column');
    expect(() => tableOf(class Stranger {})).toThrow('is no table');
    const hidden = { code: 'x' } as object;
    expect(() => DOORS.has(LOCKS, { id: 'lockId' }, hidden)).toThrow('Lock does not show code');
  });

  it('has no text that would end a literal', () => {
    expect(() => jsonOf(DOORS.fields({ id: constant("' OR true --") }), Door, 'd')).toThrow('is not for the text');
    expect(() => jsonOf(DOORS.fields({ "a', u.email, 'b": 'id' }), Door, 'd')).toThrow('is not for the text');
  });
});
