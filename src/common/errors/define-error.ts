import type { SecurityEvent } from '../security/security-event.js';
import { ApiError, type ErrorDetails } from './api-error.js';

/** One entry of the vocabulary. `code` is stable API; the sentences are for people and may change. */
export interface ErrorDefinition {
  code: string;
  status: number;
  /** The message in `error`. */
  message: string;
  /** The text in `hint`: what to do next. */
  hint: string;
  /** For the error's page: when this happens. */
  cause: string;
  /** For the error's page: how to fix it. */
  fix: string;
  /** Logged in the security log whenever this error is sent. */
  security?: SecurityEvent;
}

export type ErrorFactory = ((details?: ErrorDetails & { message?: string }) => ApiError) & {
  readonly definition: ErrorDefinition;
};

const vocabulary = new Map<string, ErrorDefinition>();

/** Adds an error to the vocabulary and returns its factory. Each code may be defined only once. */
export function defineError(definition: ErrorDefinition): ErrorFactory {
  if (vocabulary.has(definition.code)) throw new Error(`The error code ${definition.code} is defined twice.`);
  vocabulary.set(definition.code, definition);
  const factory = ({ message, ...details }: ErrorDetails & { message?: string } = {}): ApiError =>
    new ApiError(definition.status, definition.code, message ?? definition.message, {
      hint: definition.hint,
      ...(definition.security && { security: definition.security }),
      ...details,
    });
  return Object.assign(factory, { definition });
}

/** Every error defined by the modules loaded so far, sorted by code. */
export const errorVocabulary = (): ErrorDefinition[] =>
  [...vocabulary.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
