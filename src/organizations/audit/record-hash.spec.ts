import { describe, expect, it } from '@jest/globals';
import { GENESIS_HASH } from '../../common/hash-chain.js';
import { recordHash, type HashedRecord } from './record-hash.js';

const first: HashedRecord = {
  organizationId: '019a0000-0000-7000-8000-000000000001',
  sequence: 1,
  id: '019a0000-0000-7000-8000-000000000002',
  occurredAt: '2026-01-31T12:00:00.123456Z',
  actor: { kind: 'member', id: '019a0000-0000-7000-8000-000000000003' },
  action: 'project.updated',
  resourceType: 'project',
  resourceId: '019a0000-0000-7000-8000-000000000004',
  environmentId: null,
  changes: [{ field: 'name', before: 'Grün', after: 'Blau' }],
  previousHash: GENESIS_HASH,
};

describe('the hash of a record', () => {
  it('is fixed for all time, so that chains written today can be verified by any later version', () => {
    const hash = recordHash(first);
    expect(hash.toString('hex')).toBe('5edfe4403d1b59203fec39d92c5be53072c997ca5c6c78f3adbb5dbdc7b08b8e');
    const second = { ...first, sequence: 2, actor: { kind: 'service' as const }, changes: [], previousHash: hash };
    expect(recordHash(second).toString('hex')).toBe('4d3fadb2aaf9307c9e4b8b956205e0b737c553a9be37d497d773b7cd8445b7ab');
  });

  it.each<[string, Partial<HashedRecord>]>([
    ['organization', { organizationId: '019a0000-0000-7000-8000-00000000000f' }],
    ['sequence', { sequence: 2 }],
    ['id', { id: '019a0000-0000-7000-8000-00000000000f' }],
    ['last microsecond', { occurredAt: '2026-01-31T12:00:00.123457Z' }],
    ['actor', { actor: { kind: 'apiToken', id: '019a0000-0000-7000-8000-000000000003' } }],
    ['action', { action: 'project.deleted' }],
    ['type of resource', { resourceType: 'projects' }],
    ['resource', { resourceId: '' }],
    ['environment', { environmentId: '019a0000-0000-7000-8000-00000000000f' }],
    ['changes', { changes: [] }],
    ['record before', { previousHash: Buffer.alloc(32, 1) }],
  ])('is another when the %s is', (_name, other) => {
    expect(recordHash({ ...first, ...other })).not.toEqual(recordHash(first));
  });

  it('does not depend on the order in which members were written', () => {
    const changes = [{ after: 'Blau', before: 'Grün', field: 'name' }];
    expect(recordHash({ ...first, changes })).toEqual(recordHash(first));
  });
});
