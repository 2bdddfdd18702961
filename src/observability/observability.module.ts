import { Inject, Module } from '@nestjs/common';
import { SecurityLog } from '../common/security/index.js';
import { Database } from '../database/index.js';
import { JobQueue } from '../queue/index.js';
import { SIGNER_CALLS, type SignerCalls } from '../vault/index.js';
import { MetricsServer } from './metrics-server.js';
import { Metrics } from './metrics.js';
import { Observers } from './observers.js';
import { ProcessFigures } from './process-figures.js';
import { SecurityFigures } from './security-figures.js';
import { SignerFigures } from './signer-figures.js';
import { Tracing } from './tracing.js';
import { VendorFigures } from './vendor-figures.js';

/** Metrics, traces and request logs. */
@Module({
  providers: [Metrics, MetricsServer, Observers, Tracing, VendorFigures],
  exports: [Metrics, Tracing, VendorFigures],
})
export class ObservabilityModule {
  constructor(
    metrics: Metrics,
    database: Database,
    queue: JobQueue,
    security: SecurityLog,
    @Inject(SIGNER_CALLS) signer: SignerCalls | null,
  ) {
    if (!metrics.isOn) return;
    metrics.add(new ProcessFigures(database, queue));
    metrics.add(new SecurityFigures(security));
    metrics.add(new SignerFigures(signer));
  }
}
