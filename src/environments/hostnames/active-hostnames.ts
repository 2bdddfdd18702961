import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import type { HostnameUsage } from './custom-hostname.dto.js';
import { CustomHostnamesRepository } from './custom-hostnames.repository.js';

/**
 * The verified host names of an environment. Looked up by environment, never by the `Host` header: a header says where
 * a request was sent, not who owns the name.
 */
@Injectable()
export class ActiveHostnames {
  constructor(private readonly hostnames: CustomHostnamesRepository) {}

  /** In order of registration. */
  list(environmentId: EnvironmentId, usage: HostnameUsage): Promise<string[]> {
    return this.hostnames.listActive(environmentId, usage);
  }
}
