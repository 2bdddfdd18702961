import { Injectable } from '@nestjs/common';
import type { EnvironmentId, OrganizationId } from '../../auth/index.js';
import { newId } from '../../common/ids.js';
import type { Transaction } from '../../database/index.js';
import { AuditRepository, type NewAuditRecord } from './audit.repository.js';
import { recordHash, type HashedRecord } from './record-hash.js';

export type ChangeScope = { environmentId: EnvironmentId } | { organizationId: OrganizationId };

/** A change to record, before it has a place in a chain. */
export type AuditEntry = Pick<HashedRecord, 'actor' | 'action' | 'resourceType' | 'resourceId' | 'changes'>;

interface Waiting {
  scope: ChangeScope;
  entries: AuditEntry[];
}

/**
 * Writes the records of a transaction just before it commits, grouped by tenant. Changes to an organization queue for
 * the head of its chain. That lock is taken last and held for only two statements, so it blocks nobody for long and
 * cannot cause a deadlock.
 */
@Injectable()
export class AuditTrail {
  private readonly waiting = new WeakMap<Transaction, Map<string, Waiting>>();

  constructor(private readonly audit: AuditRepository) {}

  add(scope: ChangeScope, entry: AuditEntry, tx: Transaction): void {
    let tenants = this.waiting.get(tx);
    if (!tenants) {
      const opened = (tenants = new Map<string, Waiting>());
      this.waiting.set(tx, opened);
      tx.beforeCommit('audit trail', () => this.write(opened, tx));
    }
    const key = 'organizationId' in scope ? scope.organizationId : scope.environmentId;
    const tenant = tenants.get(key) ?? { scope, entries: [] };
    tenant.entries.push(entry);
    tenants.set(key, tenant);
  }

  private async write(tenants: Map<string, Waiting>, tx: Transaction): Promise<void> {
    for (const { scope, entries } of tenants.values()) {
      const head = await this.audit.takeHead(scope, tx);
      // Rather no change than one without a trace.
      if (!head) throw new Error('A change names an environment that is gone: record it on the organization.');
      const { organizationId, now } = head;
      const environmentId = 'environmentId' in scope ? scope.environmentId : null;
      const records: NewAuditRecord[] = [];
      for (const entry of entries) {
        const { sequence, hash: previousHash } = records.at(-1) ?? head;
        const place = { organizationId, sequence: sequence + 1, id: newId(), occurredAt: now, environmentId };
        const record = { ...entry, ...place, previousHash };
        records.push({ ...record, hash: recordHash(record) });
      }
      await this.audit.append(organizationId, records, tx);
    }
  }
}
