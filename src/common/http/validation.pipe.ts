import { ValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { validationFailed } from '../errors/index.js';
import type { SecurityEvent } from '../security/security-event.js';

interface FieldProblem {
  field: string;
  message: string;
}

const MAX_PROBLEMS = 50;

function* problemsOf(errors: ValidationError[], path = ''): Generator<FieldProblem> {
  for (const error of errors) {
    const field = path ? `${path}.${error.property}` : error.property;
    const name = field.slice(0, 200);
    for (const message of Object.values(error.constraints ?? {})) yield { field: name, message: message.slice(0, 300) };
    if (error.children?.length) yield* problemsOf(error.children, field);
  }
}

/**
 * The 400 for fields that break their declaration.
 *
 * @param security the line it has in the security log, where what was sent is more than a mistake
 */
export const invalidFields = (problems: FieldProblem[], security?: SecurityEvent): Error =>
  validationFailed({ payload: { fields: problems.slice(0, MAX_PROBLEMS) }, ...(security && { security }) });

const PRIMITIVES: readonly unknown[] = [String, Number, Boolean];

/**
 * Every declared body is required: one that is absent is not an empty object. And what a handler takes as one value of the
 * query can be sent as several by `name[a]=b`, of which Nest would fail to make a text.
 */
class InputPipe extends ValidationPipe {
  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype, data } = metadata;
    if (type === 'body' && value === undefined) throw invalidFields([{ field: 'body', message: 'body is required' }]);
    if (type === 'query' && PRIMITIVES.includes(metatype) && isObject(value)) {
      const field = data ?? 'query';
      throw invalidFields([{ field, message: `${field} must be one value` }]);
    }
    return super.transform(value, metadata);
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Checks bodies and queries against their classes: unknown fields are refused, absent fields stay absent.
 * `exposeUnsetFields: false` matters: without it a PATCH would carry `undefined` for every field left out.
 */
export function validationPipe(): ValidationPipe {
  return new InputPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    transform: true,
    transformOptions: { exposeUnsetFields: false },
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => invalidFields([...problemsOf(errors)]),
  });
}
