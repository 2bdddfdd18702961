import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Timing } from '../../common/timing.js';
import { Config } from '../../config/index.js';
import { JobQueue, type JobHandler } from '../job-queue.js';
import { daily, every, type Schedule } from './schedule.js';
import { ScheduledJobsRepository } from './scheduled-jobs.repository.js';

/** How often an instance looks for due jobs. */
const LOOK_MS = 5_000;
/** A run whose lease is not renewed for this long has failed, and another instance may take over. */
const LEASE_MS = 60_000;
const RENEWALS = 3;

/**
 * Recurring jobs. The schedule is a row in PostgreSQL, so it survives restarts, a missed run is made up for once, and only
 * one of several instances does it. The bell of a job can also be rung, like any bell of a `JobQueue`.
 */
@Injectable()
export class Jobs {
  private readonly log = new Logger('Jobs');
  private readonly schedules = new Map<string, Schedule>();
  private readonly entered = new Set<string>();
  private readonly running = new Map<string, Promise<void>>();
  private readonly timers: NodeJS.Timeout[] = [];
  private looking: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly config: Config,
    private readonly queue: JobQueue,
    private readonly rows: ScheduledJobsRepository,
    private readonly timing: Timing,
  ) {}

  /** Whether the process is stopping; long runs check it between their steps. */
  get isStopping(): boolean {
    return this.stopped;
  }

  /** Runs the handler at an interval, on one instance; the first run is after one interval. */
  every(bell: string, intervalMs: number, handler: JobHandler): void {
    this.add(bell, every(this.timing.ms(intervalMs)), handler);
  }

  /** Runs the handler once a day, on one instance. @param time `HH:MM` in UTC */
  daily(bell: string, time: string, handler: JobHandler): void {
    this.add(bell, daily(time), handler);
  }

  /**
   * Runs the handler at an interval on every instance: for workers that share due work row by row, and use it to find what
   * lost rings left behind.
   */
  sweep(bell: string, intervalMs: number, handler: JobHandler): void {
    if (!this.config.runsJobs) return;
    this.queue.handle(bell, handler);
    this.repeat(intervalMs, () => this.queue.ring(bell));
  }

  /** Runs the due jobs. Resolves once they have ended. */
  look(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    return (this.looking ??= this.lookOnce().finally(() => (this.looking = null)));
  }

  /** Starts no more jobs, and waits for the running ones. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.looking;
    await Promise.all(this.running.values());
  }

  private add(bell: string, schedule: Schedule, handler: JobHandler): void {
    if (!this.config.runsJobs) return;
    if (this.schedules.has(bell)) throw new Error(`The job ${bell} has a schedule already.`);
    this.queue.handle(bell, handler);
    if (this.schedules.size === 0) this.repeat(LOOK_MS, () => void this.look());
    this.schedules.set(bell, schedule);
  }

  private repeat(intervalMs: number, work: () => void): void {
    this.timers.push(setInterval(work, this.timing.ms(intervalMs)).unref());
  }

  private async lookOnce(): Promise<void> {
    const claim = randomUUID();
    try {
      await this.enterNew();
      const idle = [...this.schedules].filter(([bell]) => !this.running.has(bell));
      const due = await this.rows.claim(
        idle.map(([name, schedule]) => ({ name, leaseMs: this.leaseOf(schedule) })),
        claim,
      );
      // Not awaited: a long run must not delay looking for others.
      for (const bell of due) this.running.set(bell, this.run(bell, claim));
    } catch (error) {
      // Retried at the next look; due jobs stay due.
      this.log.warn(`Due work could not be queried: ${(error as Error).message}`);
    }
  }

  private async enterNew(): Promise<void> {
    const fresh = [...this.schedules].filter(([bell]) => !this.entered.has(bell));
    if (fresh.length === 0) return;
    await this.rows.enter(fresh.map(([name, schedule]) => ({ name, schedule })));
    for (const [bell] of fresh) this.entered.add(bell);
  }

  /** A failed or killed run is due again once its lease expires, and so is one that a stop may have cut short. */
  private async run(bell: string, claim: string): Promise<void> {
    const schedule = this.schedules.get(bell)!;
    const leaseMs = this.leaseOf(schedule);
    const renewal = setInterval(
      () => void this.rows.renew(bell, claim, leaseMs).catch(() => undefined),
      Math.max(1, leaseMs / RENEWALS),
    ).unref();
    try {
      if ((await this.queue.run(bell)) && !this.stopped) await this.rows.finish({ name: bell, schedule }, claim);
    } catch (error) {
      this.log.warn(`${bell} failed and will be retried: ${(error as Error).message}`);
    } finally {
      clearInterval(renewal);
      this.running.delete(bell);
    }
  }

  private leaseOf(schedule: Schedule): number {
    const lease = this.timing.ms(LEASE_MS);
    return 'everyMs' in schedule ? Math.min(lease, schedule.everyMs) : lease;
  }
}
