import { describe, expect, it } from '@jest/globals';
import {
  getMetadataStorage,
  IsString,
  MaxLength,
  MetadataStorage,
  ValidateNested,
  validateSync,
} from 'class-validator';
import { rememberRules } from './rule-lookups.js';

class Base {
  @IsString() name!: string;
}
class Child extends Base {
  @MaxLength(3) short!: string;
}
class Stranger {
  @IsString() other!: string;
}

/** A storage of its own, with what these classes declare themselves. */
function storageOf(...types: (new () => object)[]): MetadataStorage {
  const storage = new MetadataStorage();
  for (const type of types) declare(storage, type);
  return storage;
}

function declare(storage: MetadataStorage, type: new () => object): void {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  for (const rule of rules) if (rule.target === type) storage.addValidationMetadata(rule);
}

const namesOf = (storage: MetadataStorage, type: new () => object): string[] =>
  storage.getTargetValidationMetadatas(type, '', false, false).map(({ propertyName }) => propertyName);

describe('rules of a class that are looked up once', () => {
  it('are the same as before, those it inherits included, and of no other class', () => {
    const storage = storageOf(Base, Child, Stranger);
    const before = [Base, Child, Stranger].map((type) => namesOf(storage, type));
    rememberRules(storage);
    for (let time = 0; time < 2; time += 1) {
      expect([Base, Child, Stranger].map((type) => namesOf(storage, type))).toEqual(before);
    }
    expect(before).toEqual([['name'], ['short', 'name'], ['other']]);
  });

  it('are not looked up again, which the library would do each time: once it no longer does, this patch can go', () => {
    const storage = storageOf(Base);
    const rules = () => storage.getTargetValidationMetadatas(Base, '', false, false);
    expect(rules()).not.toBe(rules());
    rememberRules(storage);
    expect(rules()).toBe(rules());
  });

  it('are not looked up again for an object in a field either, whose class is asked for beside the one around it', () => {
    class Around {
      @ValidateNested() inner = Object.assign(new Base(), { name: 1 });
    }
    const storage = getMetadataStorage();
    rememberRules(storage);
    const asked: string[] = [];
    const remembered = storage.getTargetValidationMetadatas.bind(storage);
    storage.getTargetValidationMetadatas = (type, schema, ...rest) => {
      if (type === Base) asked.push(schema);
      return remembered(type, schema, ...rest);
    };
    try {
      expect(validateSync(new Around()).map(({ property }) => property)).toEqual(['inner']);
    } finally {
      storage.getTargetValidationMetadatas = remembered;
    }
    expect(asked).toEqual(['Around']);
    const rules = () => storage.getTargetValidationMetadatas(Base, 'Around', false, false);
    expect(rules()).toBe(rules());
    expect(rules()).toEqual(storage.getTargetValidationMetadatas(Base, '', false, false));
  });

  it('are looked up anew when a class gets another rule', () => {
    const storage = storageOf(Base);
    rememberRules(storage);
    expect(namesOf(storage, Child)).toEqual(['name']);
    declare(storage, Child);
    expect(namesOf(storage, Child)).toEqual(['short', 'name']);
  });

  it('are those of the groups where groups are asked for', () => {
    class Grouped {
      @IsString({ groups: ['admin'] }) secret!: string;
    }
    const storage = storageOf(Grouped);
    rememberRules(storage);
    expect(storage.getTargetValidationMetadatas(Grouped, '', false, true)).toEqual([]);
    expect(storage.getTargetValidationMetadatas(Grouped, '', false, true, ['admin'])).toHaveLength(1);
  });

  it('refuse and admit what the library itself refuses and admits', () => {
    const errors = () => validateSync(Object.assign(new Child(), { name: 1, short: 'long' })).map((e) => e.property);
    const before = errors();
    rememberRules();
    rememberRules();
    expect([errors(), errors()]).toEqual([before, before]);
    expect(before.sort()).toEqual(['name', 'short']);
  });
});
