import type { Metric } from './metric.js';

/** Upper bounds of the buckets in milliseconds. */
const BOUNDS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000, 60_000] as const;

/** A histogram of durations. Counting costs a few comparisons and two additions. */
export class Durations {
  private readonly counts = new Float64Array(BOUNDS.length + 1);
  private sumMs = 0;

  add(durationMs: number): void {
    let at = 0;
    while (at < BOUNDS.length && durationMs > BOUNDS[at]!) at++;
    this.counts[at]!++;
    this.sumMs += durationMs;
  }

  /** Buckets, sum and count in the form of Prometheus: in seconds, with cumulative buckets. */
  valuesOf(name: string, labels: Record<string, string>): Metric['values'] {
    let count = 0;
    const buckets = [...this.counts].map((own, at) => {
      count += own;
      const bound = BOUNDS[at];
      const le = bound === undefined ? '+Inf' : bound / 1_000;
      return { metricName: `${name}_bucket`, value: count, labels: { le, ...labels } };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, value: this.sumMs / 1_000, labels },
      { metricName: `${name}_count`, value: count, labels },
    ];
  }
}
