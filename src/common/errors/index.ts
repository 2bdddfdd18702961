export { ApiError, VENDOR_RETRY_SECONDS, type ErrorDetails } from './api-error.js';
export { defineError, errorVocabulary, type ErrorDefinition, type ErrorFactory } from './define-error.js';
export * from './common.errors.js';
