import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import type { CustomHostname, CustomHostnameVerificationRecord } from './custom-hostname.dto.js';
import type { CustomHostnameEntity } from './custom-hostname.entity.js';
import { verificationRecords } from './hostname-proof.js';

/** The targets for host names of this deployment, taken from its configuration only and never from request headers. */
@Injectable()
export class HostnameRecords {
  private readonly target: string;
  /** The service's own host names. */
  readonly own: readonly string[];

  constructor(config: Config) {
    const { hostname } = new URL(config.publicUrl);
    this.target = (config.get('CUSTOM_HOSTNAME_TARGET') ?? hostname).toLowerCase();
    this.own = [hostname, this.target];
  }

  of(name: Pick<CustomHostnameEntity, 'hostname' | 'challenge'>): CustomHostnameVerificationRecord[] {
    return verificationRecords(name, this.target);
  }

  shown(row: CustomHostnameEntity): CustomHostname {
    const { id, hostname, usage, status, errors } = row;
    return { id, hostname, usage, status, verificationRecords: this.of(row), ...(errors !== null && { errors }) };
  }
}
