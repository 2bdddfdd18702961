import { SECURITY_EVENTS, type SecurityEvent, type SecurityLog } from '../common/security/index.js';
import type { Metric, MetricSource } from './metric.js';

/** Counts of all security events, including zeros, which alerts need as a baseline. */
export class SecurityFigures implements MetricSource {
  constructor(private readonly log: SecurityLog) {}

  metrics(): Metric[] {
    const events = Object.keys(SECURITY_EVENTS) as SecurityEvent[];
    return [
      {
        name: 'gatehouse_security_events_total',
        help: 'Events of the security log.',
        type: 'counter',
        values: events.map((event) => ({ value: this.log.count(event), labels: { event } })),
      },
    ];
  }
}
