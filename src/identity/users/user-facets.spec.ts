import { describe, expect, it } from '@jest/globals';
import { Column, Entity, ForeignKey } from 'typeorm';
import { EnvironmentEntity, rowsOf } from '../../database/index.js';
import { UserFacets } from './user-facets.js';

@Entity('planted_pets')
class Pet extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  keptBy!: string;

  @Column({ type: 'text' })
  petName!: string;
}

@Entity('planted_cars')
@ForeignKey('users', ['environmentId', 'drivenBy'], ['environmentId', 'id'])
@ForeignKey('users', ['environmentId', 'repairedBy'], ['environmentId', 'id'], { deferrable: 'INITIALLY DEFERRED' })
class Car extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  drivenBy!: string;

  @Column({ type: 'uuid' })
  repairedBy!: string;
}

const cars = (subject: 'drivenBy' | 'repairedBy') =>
  rowsOf(Car).listed({ subject, order: ['createdAt'], fields: { id: 'id' } });
const pets = rowsOf(Pet).listed({ subject: 'keptBy', order: ['createdAt'], fields: { id: 'id', name: 'petName' } });

describe('the facets of a user', () => {
  it('become part of the selection, of the rows whose subject is the user', () => {
    const facets = new UserFacets();
    facets.register({ name: 'pets', rows: pets });
    expect(facets.selection).toBe(
      ", coalesce((SELECT json_agg(json_build_object('id', r1.id, 'name', r1.pet_name) ORDER BY r1.created_at) " +
        'FROM planted_pets AS r1 WHERE r1.environment_id = u.environment_id AND r1.kept_by = u.id), ' +
        `'[]'::json) AS "pets"`,
    );
  });

  it('are looked for with a user who is just made only where rows may be older than their user', () => {
    const facets = new UserFacets();
    facets.register({ name: 'cars', rows: cars('drivenBy') });
    expect(facets.selectionOfNewUser).toBe(`, '[]'::json AS "cars"`);
    const others = new UserFacets();
    others.register({ name: 'pets', rows: pets });
    others.register({ name: 'repairs', rows: cars('repairedBy') });
    expect(others.selectionOfNewUser).toBe(others.selection);
  });

  it('are none without contexts that keep any', () => {
    expect(new UserFacets().selection).toBe('');
  });

  it('cannot come after the first reading', () => {
    const facets = new UserFacets();
    expect(facets.selection).toBe('');
    expect(() => facets.register({ name: 'pets', rows: pets })).toThrow('after the first user was read');
  });

  it.each(['pets', 'Pets', 'a"b', ''])('cannot be named %j when that is taken or no field', (name) => {
    const facets = new UserFacets();
    facets.register({ name: 'pets', rows: pets });
    expect(() => facets.register({ name, rows: pets })).toThrow();
  });
});
