import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import type { Metric, MetricSource } from './metric.js';
import { Metrics } from './metrics.js';

interface Tally {
  answered: number;
  failed: number;
  /** Seconds since the Unix epoch; 0 before the first answer. */
  lastAnswerAt: number;
  /** The remaining quota reported by the vendor; null if it reports none. */
  quotaLeft: number | null;
}

/** Metrics of vendor calls: answers, failures, time of the last answer, remaining quota. */
@Injectable()
export class VendorFigures implements MetricSource {
  private readonly tallies = new Map<string, Tally>();

  constructor(
    metrics: Metrics,
    private readonly clock: Clock,
  ) {
    if (metrics.isOn) metrics.add(this);
  }

  answered(vendor: string, quotaLeft: number | null = null): void {
    const tally = this.tallyOf(vendor);
    tally.answered += 1;
    tally.lastAnswerAt = Math.floor(this.clock.timestamp() / 1000);
    tally.quotaLeft = quotaLeft ?? tally.quotaLeft;
  }

  failed(vendor: string): void {
    this.tallyOf(vendor).failed += 1;
  }

  metrics(): Metric[] {
    const all = [...this.tallies];
    const of = (pick: (tally: Tally) => number | null) =>
      all.flatMap(([vendor, tally]) => {
        const value = pick(tally);
        return value === null ? [] : [{ value, labels: { vendor } }];
      });
    return [
      series(
        'gatehouse_vendor_answers_total',
        'Calls to a vendor that were answered.',
        'counter',
        of((t) => t.answered),
      ),
      series(
        'gatehouse_vendor_failures_total',
        'Calls to a vendor that failed.',
        'counter',
        of((t) => t.failed),
      ),
      series(
        'gatehouse_vendor_last_answer_seconds',
        'When a vendor answered last, since the Unix epoch.',
        'gauge',
        of((t) => t.lastAnswerAt),
      ),
      series(
        'gatehouse_vendor_quota_left',
        'Calls that a vendor says are left.',
        'gauge',
        of((t) => t.quotaLeft),
      ),
    ];
  }

  private tallyOf(vendor: string): Tally {
    let tally = this.tallies.get(vendor);
    if (!tally) this.tallies.set(vendor, (tally = { answered: 0, failed: 0, lastAnswerAt: 0, quotaLeft: null }));
    return tally;
  }
}

const series = (name: string, help: string, type: Metric['type'], values: Metric['values']): Metric => ({
  name,
  help,
  type,
  values,
});
