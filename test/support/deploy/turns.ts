import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../ports.js';
import { eventually } from '../receiver.js';
import { localHaproxy, type HaproxyFile } from './haproxy.js';

/** The response header that names the instance: `api-1` or `api-2`. */
export const SERVED_BY = 'x-served-by';

/** The shipped haproxy configuration with round-robin for every request, and a response header naming the instance. */
export class Turns {
  private constructor(
    readonly url: string,
    private readonly file: HaproxyFile,
    private readonly child: ChildProcess,
  ) {}

  static async start(haproxy: string, instances: readonly number[]): Promise<Turns> {
    const shipped = readFileSync(join(import.meta.dirname, '../../../deploy/haproxy.cfg'), 'utf8');
    const text = shipped.replace('balance leastconn', `balance roundrobin\n  http-response set-header ${SERVED_BY} %s`);
    if (text === shipped) throw new Error('deploy/haproxy.cfg does not say how it balances.');
    const port = await freePort();
    const file = localHaproxy(text, port, instances);
    const child = spawn(haproxy, ['-db', '-f', file.path], { stdio: 'ignore' });
    const turns = new Turns(`http://127.0.0.1:${port}`, file, child);
    const answers = async () => (await fetch(`${turns.url}/readyz`).catch(() => null))?.ok === true;
    await eventually('the balancer answers', answers);
    return turns;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await ended;
    }
    this.file.remove();
  }
}
