import { describe, expect, it } from '@jest/globals';
import { fieldsOf } from '../../common/fields/index.js';
import { PROFILE_COLUMNS, STORED_COLUMNS, storedChanges, storedValues } from './profile-columns.js';
import { ProfileFields } from './profile-fields.dto.js';

const changes = (profile: object): unknown => JSON.parse(storedChanges(profile));

describe('a profile', () => {
  it('has a column for each of its declared fields', () => {
    expect(Object.keys(PROFILE_COLUMNS).sort()).toEqual(
      fieldsOf(ProfileFields)
        .map(({ key }) => key)
        .sort(),
    );
  });

  it('is inserted with null for what is absent', () => {
    const values = storedValues({ alias: 'Ana', metadata: { a: 1 }, email: '', username: '' });
    const given = Object.keys(STORED_COLUMNS).map((key, at) => [key, values[at]]);
    expect(Object.fromEntries(given.filter(([, value]) => value !== null))).toEqual({
      alias: 'Ana',
      metadata: '{"a":1}',
    });
    expect(values).toHaveLength(given.length);
  });

  it('is changed only where a field is given', () => {
    expect(changes({})).toEqual({});
    expect(changes({ tShirtSize: 'M', alias: undefined })).toEqual({ t_shirt_size: 'M' });
  });

  it('is cleared by null, and its name by an empty text', () => {
    expect(changes({ country: null, username: '', alias: '' })).toEqual({ country: null, username: null, alias: '' });
  });

  it('takes no field that has no column', () => {
    expect(changes({ environmentId: 'x', id: 'y', createdAt: 'z', last_visit: 'w' })).toEqual({});
  });
});
