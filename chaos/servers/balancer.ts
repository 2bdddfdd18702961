import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../src/database/embedded/free-port.js';
import { findProgram } from '../../test/support/programs.js';
import { endWith, spawnLogged, untilListening } from './server-child.js';

export type BalancerKind = 'haproxy' | 'nginx';

/** What clients talk to: one address in front of the instances that answer requests. */
export class Balancer {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
  ) {}

  static async start(kind: BalancerKind, folder: string, backends: readonly number[]): Promise<Balancer> {
    const program = findProgram(kind) ?? findProgram(`../sbin/${kind}`) ?? `/usr/sbin/${kind}`;
    const port = await findFreePort();
    const home = join(folder, kind);
    mkdirSync(home, { recursive: true });
    const file = join(home, `${kind}.conf`);
    writeFileSync(file, kind === 'haproxy' ? haproxy(port, backends) : nginx(home, port, backends));
    const words = kind === 'haproxy' ? ['-db', '-f', file] : ['-p', home, '-c', file];
    const log = join(folder, `${kind}.log`);
    const child = spawnLogged([program, ...words], { log, cwd: home });
    await untilListening(child, port, log);
    return new Balancer(port, child);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  stop(): Promise<void> {
    return endWith(this.child, 'SIGKILL');
  }
}

/**
 * An instance leaves after two failed checks in a row, and a request that could not even be handed to it goes to the
 * other. A request that was handed over is never sent again.
 */
const haproxy = (port: number, backends: readonly number[]): string => `global
  maxconn 2000
defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 30s
  timeout http-keep-alive 60s
  timeout check 2s
  retries 2
  retry-on conn-failure
  option redispatch 1
  option forwardfor
frontend clients
  bind 127.0.0.1:${port}
  default_backend instances
backend instances
  balance roundrobin
  option http-server-close
  option httpchk GET /readyz
  http-check expect status 200
  default-server check inter 500ms fastinter 250ms fall 2 rise 1
${backends.map((backend, index) => `  server api${index + 1} 127.0.0.1:${backend}`).join('\n')}
`;

const nginx = (home: string, port: number, backends: readonly number[]): string => `daemon off;
master_process off;
worker_processes 1;
pid ${home}/nginx.pid;
error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${home}/body;
  proxy_temp_path ${home}/proxy;
  fastcgi_temp_path ${home}/fastcgi;
  uwsgi_temp_path ${home}/uwsgi;
  scgi_temp_path ${home}/scgi;
  upstream instances {
${backends.map((backend) => `    server 127.0.0.1:${backend} max_fails=2 fail_timeout=1s;`).join('\n')}
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://instances;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_connect_timeout 1s;
      proxy_next_upstream error timeout;
      proxy_next_upstream_tries 2;
    }
  }
}
`;
