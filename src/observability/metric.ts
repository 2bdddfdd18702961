/** One series of values as Prometheus reads them. Labels are few and known: ids of operations, never of people. */
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

/** Something that knows figures. Asked at each scrape, so it counts cheaply and adds up here. */
export interface MetricSource {
  metrics(): Metric[] | Promise<Metric[]>;
}

export const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'gauge',
  values: [{ value, labels: {} }],
});
