import { invalidFields } from '../../common/http/validation.pipe.js';

export const DEVICE_TOKEN_HEADER = 'x-device-registration-token';
export const MAX_TOKEN_LENGTH = 512;

/** @throws ApiError 400 for a malformed header */
export function parseDeviceToken(given: string | undefined): string {
  const token = given?.trim();
  if (token && token.length <= MAX_TOKEN_LENGTH) return token;
  const message = `${DEVICE_TOKEN_HEADER} must have 1 to ${MAX_TOKEN_LENGTH} characters`;
  throw invalidFields([{ field: DEVICE_TOKEN_HEADER, message }]);
}
