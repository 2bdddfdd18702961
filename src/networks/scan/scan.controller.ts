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
    summary: 'Check whether a URL looks malicious',
    description:
      'Uses the block and allow lists of the deployment, similarity to names on the allow list, and a scanning service if one is configured. The URL itself is not opened.',
    errors: [403, 422, 503],
  })
  @EndUser()
  @Returns(ScanWebsiteUrlResponse)
  scanUrl(@Body() { url }: ScanWebsiteUrlRequest) {
    return this.scans.scan(url);
  }
}
