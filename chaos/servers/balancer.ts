import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/support/ports.js';
import { findProgram } from '../../test/support/programs.js';
import { haproxyFile, nginxFile } from './balancer-file.js';
import { endWith, spawnLogged, untilListening } from './server-child.js';

export type BalancerKind = 'haproxy' | 'nginx';

/** The single address that clients use, in front of the API instances. */
export class Balancer {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
  ) {}

  /** @param name of its folder and log, for worlds with several */
  static async start(
    kind: BalancerKind,
    folder: string,
    backends: readonly number[],
    name: string = kind,
  ): Promise<Balancer> {
    // Debian installs both in a folder that is not on every user's PATH.
    const program = findProgram(kind) ?? `/usr/sbin/${kind}`;
    const home = join(folder, name);
    mkdirSync(home, { recursive: true });
    const place = { home, port: await freePort(), backends };
    const file = join(home, 'balancer.conf');
    writeFileSync(file, kind === 'haproxy' ? haproxyFile(place) : nginxFile(place));
    const words = kind === 'haproxy' ? ['-db', '-f', file] : ['-p', home, '-c', file];
    const log = join(folder, `${name}.log`);
    const child = spawnLogged([program, ...words], { log, cwd: home });
    await untilListening(child, place.port, log);
    return new Balancer(place.port, child);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  stop(): Promise<void> {
    return endWith(this.child, 'SIGKILL');
  }
}
