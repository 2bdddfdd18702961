import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UserFacets, type UserFacet } from '../users/user-facets.js';

const DEVICES = `(
  SELECT jsonb_agg(jsonb_build_object('id', d.id, 'type', d.type, 'verified', true, 'createdAt', d.created_at,
    'verifiedAt', d.verified_at, 'default', d.is_default) ORDER BY d.created_at, d.id)
  FROM mfa_devices d WHERE d.environment_id = $1 AND d.user_id = u.id AND d.verified_at IS NOT NULL
)`;

/** The field `mfaDevices` of users: devices that have proven themselves. */
@Injectable()
export class MfaDevicesFacet implements UserFacet, OnModuleInit {
  readonly name = 'mfaDevices';
  readonly select = DEVICES;

  constructor(private readonly facets: UserFacets) {}

  onModuleInit(): void {
    this.facets.register(this);
  }
}
