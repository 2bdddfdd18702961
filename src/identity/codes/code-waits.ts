import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { invalidEmail, invalidPhone } from '../credentials/identifier.errors.js';
import { normaliseEmail, normalisePhone } from '../credentials/identifiers.js';
import { OneTimeCodes } from './one-time-codes.js';

/** What operators do about the waits of an address. */
@Injectable()
export class CodeWaits {
  constructor(private readonly codes: OneTimeCodes) {}

  /**
   * Ends every wait for codes, and gives back what was used of the budgets.
   * @returns false when nobody has asked for a code for this address. @throws ApiError 422 for none that can have codes
   */
  async end(environmentId: EnvironmentId, contact: { email: string } | { phone: string }): Promise<boolean> {
    const address = 'email' in contact ? normaliseEmail(contact.email)?.normal : normalisePhone(contact.phone)?.e164;
    if (!address) throw 'email' in contact ? invalidEmail() : invalidPhone();
    return this.codes.release(environmentId, address);
  }
}
