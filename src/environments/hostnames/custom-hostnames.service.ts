import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { duplicateExists, UnitOfWork, type Work } from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { JobQueue } from '../../queue/index.js';
import type { CustomHostname, CustomHostnameCreateRequest, CustomHostnamesResponse } from './custom-hostname.dto.js';
import { invalidCustomHostname, tooManyCustomHostnames } from './custom-hostname.errors.js';
import { CUSTOM_HOSTNAME_CREATED, CUSTOM_HOSTNAME_DELETED } from './custom-hostname.events.js';
import { CustomHostnamesRepository } from './custom-hostnames.repository.js';
import { HOSTNAMES_DUE } from './hostname-bell.js';
import { HostnameRecords } from './hostname-records.js';
import { parseHostname } from './parse-hostname.js';

const MAX_PER_ENVIRONMENT = 20;
const CHALLENGE_BYTES = 24;

/** The custom host names of an environment. */
@Injectable()
export class CustomHostnamesService {
  constructor(
    private readonly hostnames: CustomHostnamesRepository,
    private readonly records: HostnameRecords,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly queue: JobQueue,
  ) {}

  async list(environmentId: EnvironmentId): Promise<CustomHostnamesResponse> {
    const rows = await this.hostnames.list(environmentId, {}, { orderBy: 'id', limit: MAX_PER_ENVIRONMENT });
    return { customHostnames: rows.map((row) => this.records.shown(row)) };
  }

  /** @throws invalidCustomHostname, duplicateExists, tooManyCustomHostnames */
  async create(
    environmentId: EnvironmentId,
    request: CustomHostnameCreateRequest,
    actor: Actor,
    work: Work,
  ): Promise<CustomHostname> {
    const { hostname, refusal } = parseHostname(request.hostname, this.records.own);
    if (hostname === undefined) throw invalidCustomHostname({ hint: refusal });
    const challenge = randomBytes(CHALLENGE_BYTES).toString('hex');
    const made = { id: newId(), hostname, usage: request.usage, challenge };
    return work.run(async (tx) => {
      const row = await this.hostnames.insertIfRoom(MAX_PER_ENVIRONMENT, environmentId, made, tx);
      if (!row) {
        const known = await this.hostnames.find(environmentId, { hostname }, tx);
        throw known ? duplicateExists() : tooManyCustomHostnames();
      }
      const after = this.records.shown(row);
      const resource = { type: 'customHostname', id: row.id };
      const change = { event: CUSTOM_HOSTNAME_CREATED, resource, before: null, after };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
      tx.afterCommit(() => this.queue.ring(HOSTNAMES_DUE));
      return after;
    });
  }

  async delete(environmentId: EnvironmentId, id: string, actor: Actor): Promise<void> {
    await this.work.run(async (tx) => {
      const row = await this.hostnames.lock(environmentId, { id }, tx);
      if (!row || (await this.hostnames.delete(environmentId, { id }, tx)) === 0) throw notFound();
      const { hostname, usage } = row;
      const change = {
        event: CUSTOM_HOSTNAME_DELETED,
        resource: { type: 'customHostname', id },
        before: this.records.shown(row),
        after: null,
        data: { id, hostname, usage },
      };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    });
  }
}
