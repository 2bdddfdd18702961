import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

export type FactKind = 'session' | 'visit' | 'wallet';
export type PersonKind = 'user' | 'visitor';

const ofEnvironment = (table: string): ClassDecorator =>
  ForeignKey('environments', ['environmentId'], ['id'], { name: `${table}_environment`, onDelete: 'CASCADE' });
const ofVisitor = (table: string): ClassDecorator =>
  ForeignKey('visitors', ['environmentId', 'visitorId'], ['environmentId', 'id'], {
    name: `${table}_visitor`,
    onDelete: 'CASCADE',
  });

/** Something that happened and is not in the figures yet. Written by triggers, removed by the worker. */
@Entity('analytics_facts')
@ofEnvironment('analytics_facts')
@ofVisitor('analytics_facts')
@Index('analytics_facts_of_user', ['environmentId', 'userId'], { where: 'user_id IS NOT NULL' })
@Index('analytics_facts_of_visitor', ['environmentId', 'visitorId'], { where: 'visitor_id IS NOT NULL' })
@Check('analytics_facts_kind', "kind IN ('session', 'visit', 'wallet')")
export class AnalyticsFact {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'timestamptz' })
  at!: Date;

  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'text' })
  kind!: FactKind;

  /** Of a user, or the random number of somebody who is gone. */
  @Column({ type: 'uuid', nullable: true })
  userId!: string | null;

  @Column({ type: 'uuid', nullable: true })
  visitorId!: string | null;

  /** Of a wallet; empty otherwise. */
  @Column({ type: 'text', default: '' })
  chain!: string;

  /** How the user signed in, or what the wallet is called. */
  @Column({ type: 'text', default: '' })
  name!: string;

  /** The operating system that the browser of a session names. */
  @Column({ type: 'text', default: '' })
  system!: string;

  /** Less than none for a wallet that is gone; of somebody who is gone, all sign-ins of a quarter of an hour at once. */
  @Column({ type: 'integer', default: 1 })
  amount!: number;
}

/** How many people of an environment have a place in its sets. A place is given once, also when its holder is gone. */
@Entity('analytics_progress')
@ofEnvironment('analytics_progress')
export class AnalyticsProgress {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @Column({ type: 'integer', default: 0 })
  users!: number;

  @Column({ type: 'integer', default: 0 })
  visitors!: number;

  /** Every window that ended by then is kept; null where none is. */
  @Column({ type: 'timestamptz', nullable: true })
  windowsUntil!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}

/** Which place in the sets is whose. That of a user who is deleted is kept under the random number of a departure. */
@Entity('analytics_people')
@ofEnvironment('analytics_people')
@ofVisitor('analytics_people')
@Index('analytics_people_once_user', ['environmentId', 'userId'], { unique: true })
@Index('analytics_people_once_visitor', ['environmentId', 'visitorId'], { unique: true })
@Check('analytics_people_kind', "kind = 'user' AND visitor_id IS NULL OR kind = 'visitor' AND user_id IS NULL")
export class AnalyticsPerson {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'text' })
  kind!: PersonKind;

  @PrimaryColumn({ type: 'integer' })
  ordinal!: number;

  /** Of a user, or the random number of somebody who is gone. */
  @Column({ type: 'uuid', nullable: true })
  userId!: string | null;

  @Column({ type: 'uuid', nullable: true })
  visitorId!: string | null;
}

/**
 * Sign-ins of a user who is gone, by the quarter of an hour: what the figures have of them, and no more. Written by the
 * trigger that a deletion fires, and read only to count anew; it goes once sessions of its time are gone as well.
 */
@Entity('analytics_departures')
@ofEnvironment('analytics_departures')
@Index('analytics_departures_by_slot', ['environmentId', 'slot'])
export class AnalyticsDeparture {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  /** Made at random for the departure. */
  @PrimaryColumn({ type: 'uuid' })
  person!: string;

  @PrimaryColumn({ type: 'timestamptz' })
  slot!: Date;

  /** How the user signed in. */
  @PrimaryColumn({ type: 'text' })
  name!: string;

  @PrimaryColumn({ type: 'text' })
  system!: string;

  @Column({ type: 'integer' })
  count!: number;
}

/**
 * From when on every session of an environment is there, so that it can be counted anew: the beginning of a month. Written by
 * the trigger that the removal of old sessions fires; without it all of them are there.
 */
@Entity('analytics_horizons')
@ofEnvironment('analytics_horizons')
export class AnalyticsHorizon {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @Column({ type: 'timestamptz' })
  sessionsSince!: Date;
}

/** How often something happened in a slot of time. */
@Entity('analytics_counts')
@ofEnvironment('analytics_counts')
export class AnalyticsCount {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'text' })
  measure!: string;

  @PrimaryColumn({ type: 'smallint' })
  level!: number;

  @PrimaryColumn({ type: 'timestamptz' })
  slot!: Date;

  @PrimaryColumn({ type: 'text' })
  chain!: string;

  @PrimaryColumn({ type: 'text' })
  name!: string;

  @Column({ type: 'bigint' })
  count!: string;
}

/** Who came in a slot of time, as a set: a bit for each of 32 768 places. */
@Entity('analytics_presence')
@ofEnvironment('analytics_presence')
export class AnalyticsPresence {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'text' })
  kind!: PersonKind;

  @PrimaryColumn({ type: 'smallint' })
  level!: number;

  @PrimaryColumn({ type: 'timestamptz' })
  slot!: Date;

  @PrimaryColumn({ type: 'integer' })
  chunk!: number;

  @Column({ type: 'bit', length: '32768' })
  bits!: string;
}
