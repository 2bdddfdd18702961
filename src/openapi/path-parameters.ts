import type { Operation, Parameter, Schemas } from './document-types.js';

export const UUID_COMPONENT: Schemas = {
  Uuid: { type: 'string', format: 'uuid', minLength: 36, maxLength: 36, description: 'A UUID in its text form.' },
};

const UUID_REFERENCE = { $ref: '#/components/schemas/Uuid' };
const PLAIN = new Set(['type']);

/** An id names a record, and every record id is a UUID; keeps what a decorator declares beyond `string`. */
function idSchema(parameter: Parameter): Parameter {
  const { schema } = parameter;
  const isPlain = !schema || ('type' in schema && Object.keys(schema).every((key) => PLAIN.has(key)));
  const isUuid = schema !== undefined && 'format' in schema && schema.format === 'uuid';
  return isPlain || isUuid ? { ...parameter, schema: UUID_REFERENCE } : parameter;
}

/**
 * All path parameters of an operation, in path order. Handlers receive an environment as a scope, not as a parameter,
 * so decorators alone would leave it out.
 */
export function completeParameters(path: string, operation: Operation): Parameter[] {
  const given = (operation.parameters ?? []) as Parameter[];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const known = given.find((parameter) => parameter.in === 'path' && parameter.name === name);
    const parameter: Parameter = known ?? { name, in: 'path', required: true, schema: { type: 'string' } };
    return name.endsWith('Id') ? idSchema(parameter) : parameter;
  });
  return [...inPath, ...given.filter((parameter) => parameter.in !== 'path')];
}
