import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../config/index.js';
import type { Metric, MetricSource } from './metric.js';

/** The metrics of this process. Contexts add sources; nothing is counted unless METRICS_PORT is set. */
@Injectable()
export class Metrics {
  private readonly log = new Logger('Metrics');
  private readonly sources: MetricSource[] = [];

  constructor(private readonly config: Config) {}

  get isOn(): boolean {
    return this.config.get('METRICS_PORT') !== null;
  }

  add(source: MetricSource): void {
    this.sources.push(source);
  }

  /** If a source fails, for example while the database is down, only its metrics are missing. */
  async collect(): Promise<Metric[]> {
    const found = await Promise.allSettled(this.sources.map(async (source) => source.metrics()));
    return found.flatMap((result) => {
      if (result.status === 'fulfilled') return result.value;
      this.log.warn(`Some metrics are missing: ${(result.reason as Error).message}`);
      return [];
    });
  }
}
