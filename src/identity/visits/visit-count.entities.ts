import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** How many visitors an environment has, in slots that triggers on `visitors` keep exact: the sum is the number. */
@Entity('visitor_counts')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'visitor_counts_environment', onDelete: 'CASCADE' })
export class VisitorCount {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'text' })
  chain!: string;

  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  @Column({ type: 'bigint' })
  visitors!: string;
}

/**
 * Of how many users and visitors a day was the last on which they came, kept by triggers on `users` and `visitors`. The
 * sum over some days, to this one, is how many came in them, each counted once.
 */
@Entity('visit_days')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'visit_days_environment', onDelete: 'CASCADE' })
@Index('visit_days_old', ['day'])
@Check('visit_days_kind', "kind IN ('user', 'visitor')")
export class VisitDay {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'text' })
  kind!: 'user' | 'visitor';

  @PrimaryColumn({ type: 'date' })
  day!: string;

  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  @Column({ type: 'bigint' })
  people!: string;
}
