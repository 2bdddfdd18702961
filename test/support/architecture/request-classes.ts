import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { getMetadataStorage } from 'class-validator';
import { fieldsOf } from '../../../src/common/fields/index.js';
import type { Handler } from './handlers.js';
import type { Class } from './load-modules.js';

type RouteArguments = Record<string, { index: number; data?: unknown }>;

const CHECKED = new Map([
  [RouteParamtypes.BODY, '@Body'],
  [RouteParamtypes.QUERY, '@Query'],
]);
const DOCUMENTED = 'swagger/apiModelPropertiesArray';

/** The validation rules of each property of a class; a condition alone validates nothing. */
function checkedProperties(type: Class): Set<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return new Set(rules.filter((rule) => rule.type !== 'conditionalValidation').map((rule) => rule.propertyName));
}

function problemsOf(type: Class, seen: Set<unknown>): string[] {
  if (seen.has(type)) return [];
  seen.add(type);
  const fields = fieldsOf(type);
  if (fields.length === 0) return [`${type.name}: declares no fields`];
  const checked = checkedProperties(type);
  const declared = new Set(fields.map(({ key }) => key));
  const documented = (Reflect.getMetadata(DOCUMENTED, type.prototype as object) as string[] | undefined) ?? [];
  const others = [...documented.map((name) => name.replace(/^:/, '')), ...checked].filter((key) => !declared.has(key));
  return [
    ...fields.filter(({ key }) => !checked.has(key)).map(({ key }) => `${type.name}.${key}: has no validation`),
    ...[...new Set(others)].map((key) => `${type.name}.${key}: is not declared as a field`),
    ...fields.flatMap(({ nested }) => (nested ? problemsOf(nested() as Class, seen) : [])),
  ];
}

/** Bodies and queries that are not a class of declared and validated fields. */
export function findUnvalidated(handlers: readonly Handler[]): string[] {
  const seen = new Set<unknown>();
  return handlers.flatMap(({ controller, name }) => {
    const prototype = controller.prototype as object;
    const types = (Reflect.getMetadata('design:paramtypes', prototype, name) as Class[] | undefined) ?? [];
    const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) as RouteArguments | undefined) ?? {};
    return Object.entries(parameters).flatMap(([key, { index, data }]) => {
      const decorator = CHECKED.get(Number(key.split(':')[0]));
      if (!decorator) return [];
      const type = types[index];
      if (data !== undefined || !type) return [`${controller.name}.${name}: ${decorator} takes a whole class`];
      return problemsOf(type, seen).map((problem) => `${controller.name}.${name}: ${decorator} ${problem}`);
    });
  });
}
