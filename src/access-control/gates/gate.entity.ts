import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { AccessOutcome } from '../outcome.js';
import type { HeldRule } from './gate-rules.js';

export const GATE_NAME = 'gates_name';

/** A gate on token holdings. Its name identifies it across environments. */
@Entity('gates')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'gates_environment', onDelete: 'CASCADE' })
@Index(GATE_NAME, ['environmentId', 'name'], { unique: true })
export class GateRow extends EnvironmentEntity {
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  outcome!: AccessOutcome;

  @Column({ type: 'text', nullable: true })
  scope!: string | null;

  /** Normalised. */
  @Column({ type: 'jsonb' })
  rules!: HeldRule[];

  @Column({ type: 'timestamptz', nullable: true })
  enabledAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
