/** One Prometheus metric. Labels have few known values: ids of operations, never of people. */
export interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  values: MetricValue[];
}

interface MetricValue {
  value: number;
  labels: Record<string, string | number>;
  /** Of a part of a histogram. */
  metricName?: string;
}

/** A source of metrics, queried at each scrape: it should count cheaply and aggregate here. */
export interface MetricSource {
  metrics(): Metric[] | Promise<Metric[]>;
}

export const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'gauge',
  values: [{ value, labels: {} }],
});
