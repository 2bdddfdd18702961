import type { RequestObserver } from '../common/http/request-observer.js';
import type { ServiceRequest } from '../common/http/request.js';
import { Durations } from './durations.js';
import type { Metric, MetricSource } from './metric.js';

const NAME = 'gatehouse_http_request_duration_seconds';
/** The label of pages and unknown paths. */
const NO_OPERATION = 'none';

/** Request durations by operation and status class. */
export class RequestFigures implements RequestObserver, MetricSource {
  /** By operation, then by the first digit of the status. */
  private readonly taken = new Map<string, (Durations | undefined)[]>();

  answered({ operationId = NO_OPERATION }: ServiceRequest, status: number, durationMs: number): void {
    let classes = this.taken.get(operationId);
    if (!classes) this.taken.set(operationId, (classes = []));
    const first = Math.trunc(status / 100);
    (classes[first] ??= new Durations()).add(durationMs);
  }

  metrics(): Metric[] {
    const values = [...this.taken].flatMap(([operation, classes]) =>
      classes.flatMap((durations, first) => durations?.valuesOf(NAME, { operation, status: `${first}xx` }) ?? []),
    );
    return [{ name: NAME, help: 'Time from a request to the end of its answer.', type: 'histogram', values }];
  }
}
