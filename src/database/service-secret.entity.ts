import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A secret of the deployment itself, such as the pepper of one-time codes, sealed by the key vault. */
@Entity('service_secrets')
export class ServiceSecret {
  @PrimaryColumn({ type: 'text' })
  name!: string;

  @Column({ type: 'bytea' })
  sealed!: Buffer;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
