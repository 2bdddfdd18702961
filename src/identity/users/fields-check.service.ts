import { Injectable } from '@nestjs/common';
import { validationFailed } from '../../common/errors/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { invalidEmail } from '../credentials/identifier.errors.js';
import { normaliseEmail } from '../credentials/identifiers.js';
import type { UserFieldsCheckResponse } from './fields-check.dto.js';
import { FieldsCheckRepository } from './fields-check.repository.js';
import { HandleDirectory } from './name-handles.js';
import type { UserFieldsCheckParams } from './user-query.dto.js';
import { invalidUsername, nameServiceNotAvailable } from './user.errors.js';

const USERNAME = /^[\p{L}\p{N}_-]{1,255}$/u;

/** Tells users whether a value is available before they request it. */
@Injectable()
export class FieldsCheckService {
  constructor(
    private readonly fields: FieldsCheckRepository,
    private readonly handles: HandleDirectory,
  ) {}

  /** @throws ApiError 400 without a filter, 422 `invalid_email`, `invalid_username`, `name_service_not_available` */
  async check(
    environmentId: EnvironmentId,
    userId: string,
    filter: UserFieldsCheckParams | undefined,
  ): Promise<UserFieldsCheckResponse> {
    if (!filter) {
      throw validationFailed({ payload: { fields: [{ field: 'filter', message: 'filter[field] must be given' }] } });
    }
    return { ...filter, available: await this.isFree(environmentId, userId, filter) };
  }

  private async isFree(
    environmentId: EnvironmentId,
    userId: string,
    { field, value }: UserFieldsCheckParams,
  ): Promise<boolean> {
    switch (field) {
      case 'email': {
        const email = normaliseEmail(value);
        if (!email) throw invalidEmail();
        return this.fields.isEmailFree(environmentId, userId, email);
      }
      case 'username':
        if (!USERNAME.test(value)) throw invalidUsername();
        return this.fields.isUsernameFree(environmentId, userId, value);
      case 'name-service-subdomain-handle': {
        const isFree = await this.handles.isFree(environmentId, value);
        if (isFree === null) throw nameServiceNotAvailable();
        return isFree;
      }
    }
  }
}
