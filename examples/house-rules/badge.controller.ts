import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Page } from '../../src/auth/index.js';

/** A raw response, written by the handler: it is not an operation, and nothing is projected. */
@Page()
@Controller('badge.svg')
export class BadgeController {
  @Get()
  badge(@Res() response: Response): void {
    response
      .type('svg')
      .send('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>');
  }
}
