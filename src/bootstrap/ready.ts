import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { Config } from '../config/index.js';

/** The line printed after a successful start: the public URL and the address the service listens on. */
export function readyLine(app: INestApplication): string {
  const config = app.get(Config);
  if (!config.answersRequests) return 'Gatehouse is ready: a worker, which accepts no requests.';
  const { address, port, family } = (app.getHttpServer() as { address(): AddressInfo }).address();
  const host = family === 'IPv6' ? `[${address}]` : address;
  const docs = config.get('API_DOCS') ? `, explorer at ${config.publicUrl}/docs` : '';
  return `Gatehouse is ready: ${config.publicUrl} (role ${config.get('ROLE')}, listening on ${host}:${port}${docs}).`;
}
