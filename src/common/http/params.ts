import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { notFound } from '../errors/index.js';
import { isUuid } from '../ids.js';

/** An id that is not a UUID cannot exist, so it is answered like any other id that does not. */
const knownShape: PipeTransform<string, string> = {
  transform(value) {
    if (!isUuid(value)) throw notFound();
    return value.toLowerCase();
  },
};

/** A record id from the path. */
export const IdParam = (name: string): ParameterDecorator => Param(name, knownShape);

/** Documents the ids in the path of an operation. */
export const uuidPathParam = (name: string): MethodDecorator =>
  ApiParam({ name, schema: { type: 'string', format: 'uuid', minLength: 36, maxLength: 36 } });
