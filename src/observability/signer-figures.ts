import type { SignerCalls } from '../vault/index.js';
import { gauge, type Metric, type MetricSource } from './metric.js';

/** Metrics of the signer process; without one, this process opens keys and reports it as up. */
export class SignerFigures implements MetricSource {
  constructor(private readonly signer: SignerCalls | null) {}

  metrics(): Metric[] {
    const { isUp, restarts } = this.signer ?? { isUp: true, restarts: 0 };
    return [
      gauge('gatehouse_signer_up', 'Whether the process that opens keys of wallets can be asked.', isUp ? 1 : 0),
      {
        name: 'gatehouse_signer_restarts_total',
        help: 'How often that process, or the connection to it, was lost and opened again.',
        type: 'counter',
        values: [{ value: restarts, labels: {} }],
      },
    ];
  }
}
