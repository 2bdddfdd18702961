import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './ports.js';
import { ServiceProcess, type Environment } from './service-process.js';

/** A production instance in a separate process. */
export interface Instance {
  readonly url: string;
  readonly port: number;
  readonly process: ServiceProcess;
}

/** Production instances of the service, side by side on one machine. */
export class Deployment {
  private readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-deployment-'));
  private readonly started: ServiceProcess[] = [];

  /**
   * @param settings hold for every instance
   * @param program how each of them is started
   */
  constructor(
    private readonly settings: Environment,
    private readonly program?: Parameters<typeof ServiceProcess.spawn>[1],
  ) {}

  /** Starts an instance and waits until it is ready; a worker, which has no port, is not waited for. */
  async start(settings: Environment = {}, port?: number): Promise<Instance> {
    const own = port ?? (await freePort());
    const url = `http://127.0.0.1:${own}`;
    const given = {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(own),
      PUBLIC_URL: 'http://gatehouse.test',
      DATA_DIR: join(this.folder, 'data'),
      RATE_LIMIT_SCALE: '1000000',
      ...this.settings,
      ...settings,
    };
    const child = ServiceProcess.spawn(given, this.program);
    this.started.push(child);
    const instance = { url, port: own, process: child };
    if (settings['ROLE'] !== 'worker') await child.until(async () => (await readinessOf(instance)).status === 200);
    return instance;
  }

  async stop(): Promise<void> {
    await Promise.all(this.started.filter(({ isRunning }) => isRunning).map((child) => child.end('SIGKILL')));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The readiness as a balancer sees it; status 0 without a response. */
export async function readinessOf({ url }: Instance): Promise<{ status: number; body: unknown }> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return { status: 0, body: null };
  }
}
