import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import type { CustomHostname, CustomHostnameVerificationRecord } from './custom-hostname.dto.js';
import type { CustomHostnameEntity } from './custom-hostname.entity.js';
import { verificationRecords } from './hostname-proof.js';

/** What the host names of this deployment lead to, by its settings alone: no header of a request has a say. */
@Injectable()
export class HostnameRecords {
  private readonly target: string;
  /** Names that are the service's own. */
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
