import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Organization } from '../organization.entity.js';

/** The last record of an organization's chain. Adding a record locks this row until the transaction ends. */
@Entity('audit_heads')
@ForeignKey(() => Organization, ['organizationId'], ['id'], { name: 'audit_heads_organization' })
export class AuditHead {
  @PrimaryColumn({ type: 'uuid' })
  organizationId!: string;

  @Column({ type: 'bigint' })
  sequence!: string;

  @Column({ type: 'bytea' })
  hash!: Buffer;
}
