import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import type { HostnameUsage } from './custom-hostname.dto.js';
import { CustomHostnamesRepository } from './custom-hostnames.repository.js';

/**
 * The host names that an environment has proven. Asked by environment, never by the `Host` header: a header says where
 * somebody sent a request, not whose the name is.
 */
@Injectable()
export class ActiveHostnames {
  constructor(private readonly hostnames: CustomHostnamesRepository) {}

  /** In the order in which they were registered. */
  list(environmentId: EnvironmentId, usage: HostnameUsage): Promise<string[]> {
    return this.hostnames.listActive(environmentId, usage);
  }
}
