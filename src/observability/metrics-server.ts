import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Metric as OwnMetric, Registry } from 'prom-client';
import { Config, ConfigError } from '../config/index.js';
import { Metrics } from './metrics.js';

/** Serves `/metrics` on a separate port, which load balancers do not expose. */
@Injectable()
export class MetricsServer implements OnApplicationShutdown {
  private readonly log = new Logger('Metrics');
  private server: Server | null = null;
  private collecting: Promise<string> | null = null;

  constructor(
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {}

  /** Where it listens, once it does. */
  get port(): number | null {
    return (this.server?.address() as AddressInfo | null | undefined)?.port ?? null;
  }

  async start(): Promise<void> {
    const port = this.config.get('METRICS_PORT');
    if (port === null) return;
    // Loaded here, so that instances without metrics do not load the library.
    const { collectDefaultMetrics, Registry } = await import('prom-client');
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    this.server = createServer((request, response) => {
      if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
      this.collectOnce(registry).then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        (error: Error) => {
          this.log.error(`Metrics could not be collected: ${error.message}`);
          response.writeHead(500).end();
        },
      );
    });
    await this.listen(this.server, port, this.config.get('METRICS_HOST'));
  }

  async onApplicationShutdown(): Promise<void> {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  /** @throws ConfigError, since what is known of ports that cannot be opened speaks of PORT and HOST */
  private async listen(server: Server, port: number, host: string): Promise<void> {
    try {
      await once(server.listen(port, host), 'listening');
    } catch (error) {
      const { code = (error as Error).message } = error as NodeJS.ErrnoException;
      throw new ConfigError(
        `METRICS_PORT ${port} cannot be opened at METRICS_HOST ${host} (${code}): choose another one than PORT that is free.`,
      );
    }
  }

  /** Concurrent scrapes share one collection. */
  private collectOnce(registry: Registry): Promise<string> {
    return (this.collecting ??= this.collect(registry).finally(() => (this.collecting = null)));
  }

  private async collect(standing: Registry): Promise<string> {
    // A registry writes whatever has a `get`; counters of its own would cost the requests more than ours do.
    const passing = new (standing.constructor as new () => Registry)();
    for (const metric of await this.metrics.collect()) {
      passing.registerMetric({ name: metric.name, get: async () => metric } as unknown as OwnMetric);
    }
    return (await standing.metrics()) + (await passing.metrics());
  }
}
