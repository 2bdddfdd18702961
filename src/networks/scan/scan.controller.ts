import { Body, Post } from '@nestjs/common';
import { EndUser } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { ScanWebsiteUrlRequest, ScanWebsiteUrlResponse } from './scan.dto.js';
import { ScanService } from './scan.service.js';

@ApiController('sdk/:environmentId/scan/websiteUrl', 'Sdk')
export class ScanController {
  constructor(private readonly scans: ScanService) {}

  @Post()
  @Operation({
    id: 'scanUrl',
    summary: 'Check whether a web address looks malicious',
    description:
      'Uses the deployment’s block and allow lists, detects lookalikes of names on the allow list, and asks a scanning service if one is configured. The address itself is not opened.',
    errors: [403, 422, 503],
  })
  @EndUser()
  @Returns(ScanWebsiteUrlResponse)
  scanUrl(@Body() { url }: ScanWebsiteUrlRequest) {
    return this.scans.scan(url);
  }
}
