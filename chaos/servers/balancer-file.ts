import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../bench/stack/program.js';

export interface BalancerPlace {
  /** Folder for the program's own files. */
  readonly home: string;
  readonly port: number;
  readonly backends: readonly number[];
}

/** The shipped configuration of a balancer, with addresses changed to run on one machine. */
export function haproxyFile({ port, backends }: BalancerPlace): string {
  const path = join(ROOT, 'deploy/haproxy.cfg');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : PLAIN_HAPROXY;
  return withServers(
    once(text, /^ *bind \S+/m, `  bind 127.0.0.1:${port}`),
    /^ *server (\S+) \S+:\d+(.*)\n?/gm,
    backends.map((backend, index) => `  server api-${index + 1} 127.0.0.1:${backend}`),
  );
}

export function nginxFile({ home, port, backends }: BalancerPlace): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temporary.map((name) => `  ${name}_temp_path ${home}/${name};`).join('\n');
  let text = readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8');
  text = once(text, /listen 8080;/, `listen 127.0.0.1:${port};`);
  text = once(text, /^pid .*;$/m, `pid ${home}/nginx.pid;\ndaemon off;\nmaster_process off;`);
  text = once(text, /^error_log .*;$/m, 'error_log stderr warn;');
  text = once(text, /access_log .*;/, 'access_log off;');
  text = once(text, /^http \{$/m, `http {\n${paths}`);
  const options = /server [\d.]+:\d+( .*)?;/.exec(text)?.[1] ?? '';
  const servers = backends.map((backend) => `    server 127.0.0.1:${backend}${options};`);
  return withServers(text, /^ *server [\d.]+:\d+.*;\n/gm, servers);
}

/** @throws Error if the shipped file has changed so that an address would not be replaced */
function once(text: string, pattern: RegExp, replacement: string): string {
  if (!pattern.test(text)) throw new Error(`The configuration of the balancer has no ${pattern.source}.`);
  return text.replace(pattern, replacement);
}

function withServers(text: string, pattern: RegExp, servers: readonly string[]): string {
  let written = false;
  return text.replace(pattern, () => {
    const lines = written ? '' : `${servers.join('\n')}\n`;
    written = true;
    return lines;
  });
}

/** An instance is removed after two failed checks; a request that could not be forwarded goes to the other. */
const PLAIN_HAPROXY = `global
  maxconn 2000
defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 35s
  timeout http-keep-alive 60s
  timeout check 2s
  retries 2
  retry-on conn-failure
  option redispatch 1
  option forwardfor
  option http-server-close
frontend clients
  bind :8080
  default_backend instances
backend instances
  option httpchk GET /readyz
  http-check expect status 200
  default-server check inter 500ms fall 2 rise 1
  server api-1 127.0.0.1:3000
`;
