import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { invalidEmail, invalidPhone } from '../credentials/identifier.errors.js';
import { normaliseEmail, normalisePhone } from '../credentials/identifiers.js';
import { OneTimeCodes } from './one-time-codes.js';

/** Lets operators end the waits of an address. */
@Injectable()
export class CodeWaits {
  constructor(private readonly codes: OneTimeCodes) {}

  /**
   * Ends every wait for codes, and resets the budgets.
   * @returns false if nobody has requested a code for this address.
   * @throws ApiError 422 for an address that cannot receive codes
   */
  async end(environmentId: EnvironmentId, contact: { email: string } | { phone: string }): Promise<boolean> {
    const address = 'email' in contact ? normaliseEmail(contact.email)?.normal : normalisePhone(contact.phone)?.e164;
    if (!address) throw 'email' in contact ? invalidEmail() : invalidPhone();
    return this.codes.release(environmentId, address);
  }
}
