import { getMetadataStorage } from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;
type Lookup = Storage['getTargetValidationMetadatas'];

/**
 * Caches the validation rules of a class. For each validated object, class-validator searches all classes with rules
 * for those the object's class inherits from, so each new operation slows down every other. With 563 such classes that
 * took a quarter of the processor time of creating a user (1.8 ms and 1.3 ms, measured in turns on a busy machine),
 * most of it for temporary lists.
 *
 * Rules are declared while modules load; adding one later clears the cache. Groups, unused here, are not cached. The
 * schema of a nested object is the name of the class with the field, so each class has few.
 */
export function rememberRules(storage: Storage = getMetadataStorage()): void {
  if (Object.hasOwn(storage, 'getTargetValidationMetadatas')) return;
  const lookUp: Lookup = storage.getTargetValidationMetadatas.bind(storage);
  const add = storage.addValidationMetadata.bind(storage);
  let remembered = new WeakMap<object, Map<string, ReturnType<Lookup>>>();
  storage.addValidationMetadata = (metadata) => {
    remembered = new WeakMap();
    add(metadata);
  };
  storage.getTargetValidationMetadatas = (type, schema, always, strictGroups, groups) => {
    if (always || strictGroups || groups?.length) return lookUp(type, schema, always, strictGroups, groups);
    let known = remembered.get(type);
    if (!known) remembered.set(type, (known = new Map<string, ReturnType<Lookup>>()));
    let rules = known.get(schema);
    if (!rules) known.set(schema, (rules = lookUp(type, schema, always, strictGroups, groups)));
    return rules;
  };
}
