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
    summary: 'Judge whether a web address looks malicious',
    description:
      'By the block and allow lists of the deployment, by names made to look like those of the allow list, and by a scanning service where one is configured. The address itself is not opened.',
    errors: [403, 422, 503],
  })
  @EndUser()
  @Returns(ScanWebsiteUrlResponse)
  scanUrl(@Body() { url }: ScanWebsiteUrlRequest) {
    return this.scans.scan(url);
  }
}
