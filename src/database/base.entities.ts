import { Column, PrimaryColumn } from 'typeorm';

/** A row of one environment. Ids are UUIDv7; the key is (environment, id), and foreign keys refer to both columns. */
export abstract class EnvironmentEntity {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}

/** A row of one organization. */
export abstract class OrganizationEntity {
  @Column({ type: 'uuid' })
  organizationId!: string;

  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
