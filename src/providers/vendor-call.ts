import { Logger } from '@nestjs/common';
import { OutboundError, tenantFailure, type OutboundHttp, type OutboundRequest } from '../outbound/index.js';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/**
 * Sends a request to a vendor. True when it was accepted. Only the vendor and a status or error kind are logged: vendor
 * responses repeat addresses, numbers and texts.
 */
export async function handOver(http: OutboundHttp, vendor: string, request: OutboundRequest): Promise<boolean> {
  const log = new Logger('Vendors');
  try {
    const { status } = await http.send({ ...request, timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_BYTES });
    if (status >= 200 && status < 300) return true;
    log.warn(`${vendor} did not accept a message: status ${status}`);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    log.warn(`${vendor} did not accept a message: ${tenantFailure(error.kind)}`);
  }
  return false;
}
