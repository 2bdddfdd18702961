import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The number of visitors of an environment, in slots that triggers on `visitors` keep exact; the sum is the total. */
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
 * The number of users and visitors whose last visit was on a day, kept by triggers on `users` and `visitors`. The sum
 * over the days up to today is the number of unique visitors in them.
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
