import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/database/index.js';
import { freePort } from './ports.js';

const PASSWORD = 'of-a-test';

/** A PostgreSQL server for one test, which may break it at will. */
export class OwnPostgres {
  private constructor(
    private readonly dataDir: string,
    private server: Awaited<ReturnType<typeof startEmbeddedPostgres>>,
  ) {}

  static async start(): Promise<OwnPostgres> {
    const dataDir = join(await mkdtemp(join(tmpdir(), 'gatehouse-own-postgres-')), 'postgres');
    return new OwnPostgres(dataDir, await open(dataDir, { port: String(await freePort()) }));
  }

  get url(): string {
    return this.server.url;
  }

  /** `pg_ctl stop -m immediate`: connections break, and the next start recovers from the log. */
  async crash(): Promise<void> {
    const { pid } = this.server;
    process.kill(pid, 'SIGQUIT');
    while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Restarts at the same address. */
  async restart(): Promise<void> {
    this.server = await open(this.dataDir, { port: new URL(this.url).port });
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(join(this.dataDir, '..'), { recursive: true, force: true });
  }
}

const open = (dataDir: string, settings: Record<string, string>): ReturnType<typeof startEmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDir, password: PASSWORD, settings });

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
