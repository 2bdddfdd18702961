import { ValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { cutText } from '../cut-text.js';
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
    const name = cutText(field, 200);
    for (const message of Object.values(error.constraints ?? {})) yield { field: name, message: cutText(message, 300) };
    if (error.children?.length) yield* problemsOf(error.children, field);
  }
}

/**
 * The 400 for invalid fields.
 *
 * @param security the event for the security log, if the input is more than a mistake
 */
export const invalidFields = (problems: FieldProblem[], security?: SecurityEvent): Error =>
  validationFailed({ payload: { fields: problems.slice(0, MAX_PROBLEMS) }, ...(security && { security }) });

const PRIMITIVES: readonly unknown[] = [String, Number, Boolean];

/**
 * Requires every declared body but an `OptionalBody`: an absent one is not an empty object. Also refuses `name[a]=b` for
 * a single query value, which Nest would fail to convert to a string.
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
 * Validates bodies and queries against their classes: unknown fields are refused, absent fields stay absent. Without
 * `exposeUnsetFields: false`, a PATCH would contain `undefined` for every omitted field.
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
