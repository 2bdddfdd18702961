import { CLIENT_LEFT, type RequestObserver } from '../common/http/request-observer.js';
import type { ServiceRequest } from '../common/http/request.js';
import { Durations } from './durations.js';
import type { Metric, MetricSource } from './metric.js';

const NAME = 'gatehouse_http_request_duration_seconds';
/** The label of pages and unknown paths. */
const NO_OPERATION = 'none';

/** Request durations by operation and status class. Requests whose client left are a class of their own. */
export class RequestFigures implements RequestObserver, MetricSource {
  /** By operation, then by the first digit of the status, or all of it for `CLIENT_LEFT`. */
  private readonly taken = new Map<string, Map<number, Durations>>();

  answered({ operationId = NO_OPERATION }: ServiceRequest, status: number, durationMs: number): void {
    let classes = this.taken.get(operationId);
    if (!classes) this.taken.set(operationId, (classes = new Map<number, Durations>()));
    const classed = status === CLIENT_LEFT ? status : Math.trunc(status / 100);
    let durations = classes.get(classed);
    if (!durations) classes.set(classed, (durations = new Durations()));
    durations.add(durationMs);
  }

  metrics(): Metric[] {
    const values = [...this.taken].flatMap(([operation, classes]) =>
      [...classes].flatMap(([classed, durations]) =>
        durations.valuesOf(NAME, { operation, status: classed === CLIENT_LEFT ? `${classed}` : `${classed}xx` }),
      ),
    );
    return [{ name: NAME, help: 'Time from a request to the end of its answer.', type: 'histogram', values }];
  }
}
