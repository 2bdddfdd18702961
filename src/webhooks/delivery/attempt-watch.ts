import { Injectable, Logger } from '@nestjs/common';
import { LogRecord } from '../../common/log-record.js';
import { Config } from '../../config/index.js';
import { Durations, Metrics, Tracing, type Metric, type MetricSource } from '../../observability/index.js';
import type { AttemptResult } from './attempt-result.js';

const DURATION = 'gatehouse_delivery_duration_seconds';
const LAG = 'gatehouse_delivery_lag_seconds';

/** Reports attempts to operators: in metrics, traces and the log, each with the request that caused the event. */
@Injectable()
export class AttemptWatch implements MetricSource {
  private readonly log = new Logger('Deliveries');
  private readonly durations = new Map<string, Durations>();
  private readonly lag = new Durations();
  /** The framework cannot tell per logger, and building a line per attempt only to discard it would be wasteful. */
  private readonly logsAll: boolean;

  constructor(
    private readonly counting: Metrics,
    private readonly tracing: Tracing,
    config: Config,
  ) {
    this.logsAll = ['debug', 'verbose'].includes(config.get('LOG_LEVEL'));
    if (counting.isOn) counting.add(this);
  }

  attempted(result: AttemptResult): void {
    if (this.counting.isOn) this.count(result);
    if (this.tracing.isOn) this.trace(result);
    const isLast = result.outcome !== 'delivered' && result.retryInMs === null;
    if (isLast) this.log.warn(recordOf(result, 'given up'));
    else if (this.logsAll) this.log.debug(recordOf(result, 'attempted'));
  }

  metrics(): Metric[] {
    const values = [...this.durations].flatMap(([outcome, taken]) => taken.valuesOf(DURATION, { outcome }));
    return [
      { name: DURATION, help: 'Time from a request to a receiver to its answer.', type: 'histogram', values },
      {
        name: LAG,
        help: 'Time from an event to the first attempt to deliver it.',
        type: 'histogram',
        values: this.lag.valuesOf(LAG, {}),
      },
    ];
  }

  private count(result: AttemptResult): void {
    const outcome = outcomeOf(result);
    let durations = this.durations.get(outcome);
    if (!durations) this.durations.set(outcome, (durations = new Durations()));
    durations.add(result.response.durationMs);
    const { attempt, redelivery, eventCreatedAt } = result.message;
    if (attempt === 1 && !redelivery) this.lag.add(result.sentAt.getTime() - eventCreatedAt.getTime());
  }

  private trace(result: AttemptResult): void {
    const { messageId, webhookId, eventName, attempt, traceParent } = result.message;
    this.tracing.finished({
      name: 'webhook attempt',
      startedAt: result.sentAt,
      durationMs: result.response.durationMs,
      failed: result.outcome !== 'delivered',
      attributes: {
        'gatehouse.message_id': messageId,
        'gatehouse.webhook_id': webhookId,
        'gatehouse.event': eventName,
        'gatehouse.attempt': attempt,
        'gatehouse.outcome': outcomeOf(result),
      },
      causedBy: traceParent,
    });
  }
}

/** `delivered`, or why not. */
const outcomeOf = ({ outcome, response }: AttemptResult): string =>
  outcome === 'failed' ? (response.error ?? 'failed') : outcome;

function recordOf(result: AttemptResult, text: string): LogRecord {
  const { requestId, environmentId, eventId, eventName, messageId, webhookId, attempt } = result.message;
  return new LogRecord(text, {
    requestId: requestId ?? undefined,
    environmentId,
    eventId,
    eventName,
    messageId,
    webhookId,
    attempt,
    outcome: outcomeOf(result),
    status: result.response.status,
    durationMs: result.response.durationMs,
  });
}
