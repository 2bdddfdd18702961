import { ValidateBy, buildMessage, type ValidationOptions } from 'class-validator';
import { isUuid } from '../ids.js';

/** 36 characters in the text form of a UUID, any version. */
export const IsUuid = (options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isUuid',
      validator: {
        validate: isUuid,
        defaultMessage: buildMessage((each) => `${each}$property must be a UUID of 36 characters`, options),
      },
    },
    options,
  );

/** An address whose domain has parts, or nothing; codes and messages ask for more than that. */
export const ADDRESS_OR_EMPTY = /^$|^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** A value whose JSON text stays within `maxBytes`. */
export const SmallJson = (maxBytes: number): PropertyDecorator =>
  ValidateBy({
    name: 'smallJson',
    constraints: [maxBytes],
    validator: {
      validate: (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '') <= maxBytes,
      defaultMessage: buildMessage((each) => `${each}$property must not exceed ${maxBytes} bytes of JSON`),
    },
  });
