import { defineError } from '../../src/common/errors/index.js';

export const underMaintenance = defineError({
  code: 'under_maintenance',
  status: 503,
  message: 'Nothing can be changed while the service is under maintenance.',
  hint: 'Repeat the call after the seconds in Retry-After.',
  cause: 'An operator has switched writes off for a while.',
  fix: 'Wait, or ask the operator how long it takes.',
});

/** Thrown by the vendor's client when the vendor does not respond. */
export class VendorOutage extends Error {}
