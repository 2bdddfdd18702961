import { Param, type PipeTransform } from '@nestjs/common';
import { notFound } from '../errors/index.js';
import { isUuid } from '../ids.js';

/** An id that is not a UUID cannot exist, so it gets the same 404 as an unknown id. */
const knownShape: PipeTransform<string, string> = {
  transform(value) {
    if (!isUuid(value)) throw notFound();
    return value.toLowerCase();
  },
};

/** A record id from the path; the document knows parameters whose names end in `Id` as UUIDs. */
export const IdParam = (name: string): ParameterDecorator => Param(name, knownShape);
