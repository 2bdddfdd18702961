import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { ServiceRequest } from '../../src/common/http/request.js';
import { VendorOutage } from './house-rules.errors.js';

/** Answers what a vendor's client throws. Whatever it does not catch is answered by the service. */
@Catch(VendorOutage)
export class VendorOutageFilter implements ExceptionFilter {
  catch(_error: VendorOutage, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { requestId } = http.getRequest<ServiceRequest>();
    http
      .getResponse<Response>()
      .status(503)
      .json({ error: 'The vendor does not answer.', code: 'vendor_outage', requestId });
  }
}
