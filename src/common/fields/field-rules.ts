import { IsNumber, ValidateBy, buildMessage, type ValidationOptions } from 'class-validator';
import { isUuid } from '../ids.js';
import { isVisible } from '../visible-text.js';

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

/** A finite number, and a refusal that says so rather than speaking of constraints. */
export const IsFiniteNumber = (): PropertyDecorator =>
  IsNumber({ allowInfinity: false, allowNaN: false }, { message: '$property must be a number' });

/** An email address whose domain contains a dot, or an empty string; sign-in codes have stricter rules. */
export const ADDRESS_OR_EMPTY = /^$|^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** Longer texts are refused without matching, since some patterns take quadratic time. */
const MAX_MATCHED = 8_192;

/** A text of at most `max` characters that matches the pattern; longer ones fail too, and a length rule explains why. */
export const MatchesWithin = (pattern: RegExp, max: number = MAX_MATCHED): PropertyDecorator =>
  ValidateBy({
    name: 'matches',
    constraints: [pattern],
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && value.length <= Math.min(max, MAX_MATCHED) && pattern.test(value),
      defaultMessage: buildMessage((each) => `${each}$property must match ${pattern} regular expression`),
    },
  });

/** A text that people can see. */
export const HasVisible = (): PropertyDecorator =>
  ValidateBy({
    name: 'hasVisible',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isVisible(value),
      defaultMessage: buildMessage((each) => `${each}$property must contain a visible character`),
    },
  });

/** A value whose JSON text has at most `maxBytes`. */
export const SmallJson = (maxBytes: number): PropertyDecorator =>
  ValidateBy({
    name: 'smallJson',
    constraints: [maxBytes],
    validator: {
      validate: (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '') <= maxBytes,
      defaultMessage: buildMessage((each) => `${each}$property must not exceed ${maxBytes} bytes of JSON`),
    },
  });

/** Every value of an object is an object itself. */
export const HoldsObjects = (): PropertyDecorator =>
  ValidateBy({
    name: 'holdsObjects',
    validator: {
      validate: (value: unknown) =>
        Object.values(value ?? {}).every((each) => typeof each === 'object' && each !== null && !Array.isArray(each)),
      defaultMessage: buildMessage((each) => `${each}$property must hold objects alone`),
    },
  });
