import { Injectable, Logger } from '@nestjs/common';
import { VendorFigures } from '../observability/index.js';
import {
  OutboundError,
  tenantFailure,
  OutboundHttp,
  type OutboundRequest,
  type OutboundResult,
} from '../outbound/index.js';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/** The request for one message, and how its vendor says that it has taken it: a page of a proxy may have status 200. */
export interface VendorMessage extends OutboundRequest {
  readonly isAccepted: (answer: OutboundResult) => boolean;
  /** Why a refusal would be repeated for this recipient, where the vendor documents that; otherwise null. */
  readonly finalRefusal?: (answer: OutboundResult) => FinalRefusal | null;
}

/** The recipient gets no messages, or nobody in their country does. */
export type FinalRefusal = 'recipient' | 'country';

/** `unclear` when the message may have been sent; with `refused` and {@link FinalRefusal} it certainly was not. */
export type HandedOver = 'accepted' | 'refused' | 'unclear' | FinalRefusal;

/** Sends messages to vendors. */
@Injectable()
export class VendorMessages {
  private readonly log = new Logger('Vendors');

  constructor(
    private readonly http: OutboundHttp,
    private readonly figures: VendorFigures,
  ) {}

  /** Only the vendor and a status or error kind are logged: vendor responses repeat addresses, numbers and texts. */
  async handOver(vendor: string, message: VendorMessage): Promise<HandedOver> {
    const handed = await this.send(vendor, message);
    if (handed === 'accepted') this.figures.answered(vendor);
    else this.figures.failed(vendor);
    return handed;
  }

  private async send(vendor: string, message: VendorMessage): Promise<HandedOver> {
    const { isAccepted, finalRefusal, ...request } = message;
    try {
      const answer = await this.http.send({ ...request, timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_BYTES });
      if (isAccepted(answer)) return 'accepted';
      this.log.warn(`${vendor} did not accept a message: status ${answer.status}`);
      return isRefusal(answer) ? (finalRefusal?.(answer) ?? 'refused') : 'unclear';
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      this.log.warn(`${vendor} did not accept a message: ${tenantFailure(error.kind)}`);
      return error.kind === 'dns' || error.kind === 'blocked' ? 'refused' : 'unclear';
    }
  }
}

export const isSuccess = ({ status }: OutboundResult): boolean => status >= 200 && status < 300;

/** After a timeout (408), conflict (409) or early call (425) the vendor may have sent the message all the same. */
const UNDECIDED = new Set([408, 409, 425]);
const isRefusal = ({ status }: OutboundResult): boolean => status >= 400 && status < 500 && !UNDECIDED.has(status);
