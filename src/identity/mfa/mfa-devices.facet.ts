import { Injectable, type OnModuleInit } from '@nestjs/common';
import { constant, PRESENT, rowsOf } from '../../database/index.js';
import { UserFacets, type UserFacet } from '../users/user-facets.js';
import { MfaDeviceRow } from './mfa-device.entity.js';

/** The field `mfaDevices` of users: their verified devices. */
@Injectable()
export class MfaDevicesFacet implements UserFacet, OnModuleInit {
  readonly name = 'mfaDevices';
  readonly rows = rowsOf(MfaDeviceRow).listed({
    subject: 'userId',
    where: { verifiedAt: PRESENT },
    order: ['createdAt', 'id'],
    fields: {
      id: 'id',
      type: 'type',
      verified: constant(true),
      createdAt: 'createdAt',
      verifiedAt: 'verifiedAt',
      default: 'isDefault',
    },
  });

  constructor(private readonly facets: UserFacets) {}

  onModuleInit(): void {
    this.facets.register(this);
  }
}
