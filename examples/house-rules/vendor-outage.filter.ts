import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { ServiceRequest } from '../../src/common/http/request.js';
import { VendorOutage } from './house-rules.errors.js';

/** Handles errors of a vendor's client. The service handles all others. */
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
