import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { ImplementationTimeline } from './organization.dto.js';

/** Postal address lines, all optional. */
export interface OrganizationAddress {
  addressLine1?: string;
  addressLine2?: string;
  city?: string;
  region?: string;
  postalCode?: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
}

/** The owner of projects. Its id is the scope of their rows. */
@Entity('organizations')
@Check(
  'organizations_timeline',
  "implementation_timeline IN ('yesterday', 'nextTwoWeeks', 'nextTwoMonths', 'justBrowsing')",
)
export class Organization {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text', nullable: true })
  websiteUrl!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  address!: OrganizationAddress | null;

  /** When the founder plans to go live. */
  @Column({ type: 'text', nullable: true })
  implementationTimeline!: ImplementationTimeline | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
