import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

export type FactKind = 'session' | 'visit' | 'wallet';
export type PersonKind = 'user' | 'visitor';

const ofEnvironment = (table: string): ClassDecorator =>
  ForeignKey('environments', ['environmentId'], ['id'], { name: `${table}_environment`, onDelete: 'CASCADE' });

/** An occurrence that is not in the figures yet. Written by triggers, removed by the worker. */
@Entity('analytics_facts')
@ofEnvironment('analytics_facts')
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

  /** A user id, or the random id of a deleted user. */
  @Column({ type: 'uuid', nullable: true })
  userId!: string | null;

  /** A visitor id, or the random id of a deleted visitor. */
  @Column({ type: 'uuid', nullable: true })
  visitorId!: string | null;

  /** For a wallet; empty otherwise. */
  @Column({ type: 'text', default: '' })
  chain!: string;

  /** The sign-in method, or the wallet's name. */
  @Column({ type: 'text', default: '' })
  name!: string;

  /** The operating system named by the session's browser. */
  @Column({ type: 'text', default: '' })
  system!: string;

  /** Negative for a removed wallet; for a deleted user, the number of sign-ins in a quarter of an hour. */
  @Column({ type: 'integer', default: 1 })
  amount!: number;
}

/** The number of people assigned a position in an environment's sets. Positions are never reused. */
@Entity('analytics_progress')
@ofEnvironment('analytics_progress')
export class AnalyticsProgress {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @Column({ type: 'integer', default: 0 })
  users!: number;

  @Column({ type: 'integer', default: 0 })
  visitors!: number;

  /** Every window that ended by then is stored; null when none is. */
  @Column({ type: 'timestamptz', nullable: true })
  windowsUntil!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}

/**
 * Maps people to positions in the sets. A deleted user's position is kept under the random id of the departure. That of
 * a deleted visitor is kept only for facts that wait, since visits are not counted anew.
 */
@Entity('analytics_people')
@ofEnvironment('analytics_people')
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

  /** A user id, or the random id of a deleted user. */
  @Column({ type: 'uuid', nullable: true })
  userId!: string | null;

  @Column({ type: 'uuid', nullable: true })
  visitorId!: string | null;
}

/**
 * Sign-ins of a deleted user per quarter of an hour: what the figures include, and nothing else. Written by a trigger
 * on deletion and read only for a recount; removed once the sessions of its time are.
 */
@Entity('analytics_departures')
@ofEnvironment('analytics_departures')
@Index('analytics_departures_by_slot', ['environmentId', 'slot'])
export class AnalyticsDeparture {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  /** Generated at random for the departure. */
  @PrimaryColumn({ type: 'uuid' })
  person!: string;

  @PrimaryColumn({ type: 'timestamptz' })
  slot!: Date;

  /** The sign-in method. */
  @PrimaryColumn({ type: 'text' })
  name!: string;

  @PrimaryColumn({ type: 'text' })
  system!: string;

  @Column({ type: 'integer' })
  count!: number;
}

/**
 * The start of the first month for which all sessions of an environment still exist, so that it can be recounted.
 * Written by the trigger on the removal of old sessions; without a row, none have been removed.
 */
@Entity('analytics_horizons')
@ofEnvironment('analytics_horizons')
export class AnalyticsHorizon {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @Column({ type: 'timestamptz' })
  sessionsSince!: Date;
}

/** How often something happened in a time slot. */
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

/** The people active in a time slot, as a bit set of 32 768 positions. */
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
