export * from './scalar-fields.js';
export * from './composite-fields.js';
export { PatchOf, PickOf, OmitOf } from './derive.js';
export { fieldsOf, type FieldClass, type FieldMeta } from './field-meta.js';
export { projectionOf } from './projection.js';
