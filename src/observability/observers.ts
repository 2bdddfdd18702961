import { Injectable } from '@nestjs/common';
import { observeAll, type RequestObserver } from '../common/http/request-observer.js';
import { Config } from '../config/index.js';
import { Metrics } from './metrics.js';
import { RequestFigures } from './request-figures.js';
import { RequestLog } from './request-log.js';
import { Tracing } from './tracing.js';

/** The request observers enabled by the settings. */
@Injectable()
export class Observers {
  constructor(
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
  ) {}

  /** Null if there are none. Called once, when the application is created. */
  async start(): Promise<RequestObserver | null> {
    await this.tracing.start();
    const wanted: RequestObserver[] = [];
    if (this.tracing.isOn) wanted.push(this.tracing);
    if (this.metrics.isOn) {
      const figures = new RequestFigures();
      this.metrics.add(figures);
      wanted.push(figures);
    }
    const logged = this.config.get('LOG_REQUESTS');
    if (logged !== 'none') wanted.push(new RequestLog(logged === 'all'));
    return observeAll(wanted);
  }
}
