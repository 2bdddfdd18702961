import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsOptional, ValidateIf } from 'class-validator';
import { recordField, type FieldMeta, type FieldOptions } from './field-meta.js';
import type { FieldDecorator } from './field-types.js';

interface Declaration {
  options: FieldOptions;
  /** Validators and transformers of a present, non-null value. */
  rules: PropertyDecorator[];
  schema: ApiPropertyOptions;
  kind?: FieldMeta['kind'];
  list?: boolean;
  nested?: FieldMeta['nested'];
}

/** Absent and null are distinct: each skips the rules only if the options allow it. */
function presence(options: FieldOptions, key: string): PropertyDecorator[] {
  if (options.optional && options.nullable) return [IsOptional()];
  if (options.optional) return [ValidateIf((object: Record<string, unknown>) => object[key] !== undefined)];
  if (options.nullable) return [ValidateIf((object: Record<string, unknown>) => object[key] !== null)];
  return [];
}

/** Turns a declaration into validation, documentation and serialisation. Used by all field decorators. */
export function declareField<T>(declaration: Declaration): FieldDecorator<T> {
  const { rules, schema, kind = 'value', list = false, nested } = declaration;
  const declare = (target: object, key: string, options: FieldOptions): void => {
    const documented = {
      ...schema,
      required: !options.optional,
      ...(options.nullable && { nullable: true }),
      ...(options.description && { description: options.description }),
      ...(options.example !== undefined && { example: options.example }),
    } as ApiPropertyOptions;
    applyDecorators(...presence(options, key), ...rules, ApiProperty(documented))(target, key);
    recordField(target, {
      key,
      kind,
      list,
      nested,
      options,
      redeclare: (other, overrides) => declare(other, key, { ...options, ...overrides }),
    });
  };
  return (target: object, key: string) => declare(target, key, declaration.options);
}
