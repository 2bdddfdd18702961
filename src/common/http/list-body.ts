import { createParamDecorator, type ExecutionContext, type PipeTransform, type Type } from '@nestjs/common';
import { ApiBody, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { ApiError } from '../errors/index.js';
import type { ServiceRequest } from './request.js';
import { invalidFields, validationPipe } from './validation.pipe.js';

interface ListBounds {
  min: number;
  max: number;
}

const rawBody = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown => context.switchToHttp().getRequest<ServiceRequest>().body,
);

/** A body that is a JSON array of one declared class. Items are validated like single bodies; problems name their index. */
export const ListBody =
  (type: Type<object>, bounds: ListBounds): ParameterDecorator =>
  (target, key, index) => {
    rawBody(new ItemsPipe(type, bounds))(target, key, index);
    const descriptor = Object.getOwnPropertyDescriptor(target, key!)!;
    const items = { $ref: getSchemaPath(type) };
    const schema = { type: 'array', items, minItems: bounds.min, maxItems: bounds.max };
    ApiExtraModels(type)(target, key, descriptor);
    ApiBody({ required: true, schema })(target, key!, descriptor);
  };

export class ItemsPipe implements PipeTransform<unknown, Promise<object[]>> {
  private readonly one = validationPipe();

  constructor(
    private readonly type: Type<object>,
    private readonly bounds: ListBounds,
  ) {}

  async transform(value: unknown): Promise<object[]> {
    const { min, max } = this.bounds;
    if (!Array.isArray(value) || value.length < min || value.length > max) {
      throw invalidFields([{ field: 'body', message: `body must be an array of ${min} to ${max} items` }]);
    }
    const items: object[] = [];
    for (const [index, item] of value.entries()) items.push(await this.check(item, index));
    return items;
  }

  private async check(item: unknown, index: number): Promise<object> {
    if (item === null || typeof item !== 'object' || Array.isArray(item)) {
      throw invalidFields([{ field: String(index), message: `${index} must be an object` }]);
    }
    try {
      return (await this.one.transform(item, { type: 'body', metatype: this.type })) as object;
    } catch (error) {
      const fields = error instanceof ApiError ? error.details.payload?.['fields'] : undefined;
      if (!Array.isArray(fields)) throw error;
      throw invalidFields(
        (fields as { field: string; message: string }[]).map(({ field, message }) => ({
          field: `${index}.${field}`,
          message,
        })),
      );
    }
  }
}
