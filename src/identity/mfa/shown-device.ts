import type { MfaDevice } from '../users/user-parts.dto.js';
import type { ShownDevice } from './mfa-devices.repository.js';

/** A device as the API shows it, without its secret. */
export const shownDevice = ({ id, type, createdAt, verifiedAt, isDefault }: ShownDevice): MfaDevice => ({
  id,
  type,
  createdAt,
  verifiedAt,
  verified: verifiedAt !== null,
  default: isDefault,
});
