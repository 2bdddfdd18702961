import { Controller, Get, Res } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { Page } from '../auth/index.js';
import { Asset } from './asset.js';

const STYLE = new Asset(new URL('./style.css', import.meta.url), 'css');
const COPY = new Asset(new URL('./copy.js', import.meta.url), 'js');
const PASSKEY = new Asset(new URL('./passkey.js', import.meta.url), 'js');
const MEMBER = new Asset(new URL('./member.js', import.meta.url), 'js');

/** Serves the files shared by all pages. */
@Page()
@Controller('pages')
export class AssetsController {
  @Get('style.css')
  style(@Res() response: ExpressResponse): void {
    STYLE.send(response);
  }

  @Get('copy.js')
  copy(@Res() response: ExpressResponse): void {
    COPY.send(response);
  }

  @Get('member.js')
  member(@Res() response: ExpressResponse): void {
    MEMBER.send(response);
  }

  @Get('passkey.js')
  passkey(@Res() response: ExpressResponse): void {
    PASSKEY.send(response);
  }
}
