import { describe, expect, it } from '@jest/globals';
import { getMetadataStorage, IsInt, IsString, validateSync } from 'class-validator';
import { rememberValidationRules } from './remembered-validation.js';

class Parent {
  @IsString()
  name!: string;
}
class Child extends Parent {
  @IsInt()
  age!: number;
}

const brokenFields = (value: object): string[] => validateSync(value).map(({ property }) => property);

describe('remembered rules', () => {
  it('are those of the class and of the classes it extends, at every check', () => {
    rememberValidationRules();
    rememberValidationRules();
    for (let check = 0; check < 2; check += 1) {
      expect(brokenFields(Object.assign(new Parent(), { name: 1 }))).toEqual(['name']);
      expect(brokenFields(Object.assign(new Child(), { name: 1, age: '1' })).sort()).toEqual(['age', 'name']);
      expect(brokenFields(Object.assign(new Child(), { name: 'a', age: 1 }))).toEqual([]);
    }
  });

  it('are looked for once', () => {
    rememberValidationRules();
    const storage = getMetadataStorage();
    const find = () => storage.getTargetValidationMetadatas(Child, '', false, false);
    expect(find()).toBe(find());
    expect(storage.groupByPropertyName(find())).toBe(storage.groupByPropertyName(find()));
    expect(storage.getTargetValidationMetadatas(Child, '', false, false, ['other'])).not.toBe(find());
  });
});
