import { describe, expect, it } from '@jest/globals';
import { fieldKeyOf } from './field-key.js';

describe('the key of a custom field', () => {
  it.each([
    ['Favourite colour', 'favourite_colour'],
    ['  T-shirt (size) ', 't_shirt_size'],
    ['国籍', '国籍'],
    ['Straße Nr. 7', 'straße_nr_7'],
    ['ＦＵＬＬ width', 'full_width'],
    ['?!', 'field'],
    ['__proto__', 'field_proto'],
    ['constructor', 'field_constructor'],
    ['prototype', 'field_prototype'],
  ])('of %p is %p', (name, key) => {
    expect(fieldKeyOf(name)).toBe(key);
  });

  it('is no longer than keys may be and ends with a whole character', () => {
    expect(fieldKeyOf('ﷺ'.repeat(255)).length).toBeLessThanOrEqual(255);
    expect(fieldKeyOf('𝟘'.repeat(127) + 'ab')).toBe('0'.repeat(127) + 'ab');
    const half = fieldKeyOf('a' + '𠀀'.repeat(127) + '𠀀');
    expect(half).toHaveLength(255);
    expect(half.isWellFormed()).toBe(true);
    expect(fieldKeyOf('𠀀'.repeat(128))).toBe('𠀀'.repeat(127));
  });
});
