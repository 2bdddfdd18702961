import { Controller, Get, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { Page } from '../../auth/index.js';
import { API_PREFIX } from '../../common/http/operation.js';
import { Config } from '../../config/index.js';
import { Asset, asPage, LocalOnlyGuard } from '../../pages/index.js';
import { readQuickstart } from '../quickstart.js';
import { APP_PATH, appPage, noAppPage } from './app-page.js';

const SCRIPT = new Asset(new URL('./app.js', import.meta.url), 'js');

/** An application in development, to try every way to sign in that the sandbox has. */
@Page()
@Controller(APP_PATH)
@UseGuards(LocalOnlyGuard)
export class DevelopmentAppController {
  constructor(private readonly config: Config) {}

  @Get()
  show(@Res({ passthrough: true }) response: Response): string {
    const quickstart = readQuickstart(this.config.get('DATA_DIR'));
    if (!quickstart) return asPage(response, noAppPage());
    return asPage(response, appPage(`/${API_PREFIX}/sdk/${quickstart.environments.sandbox.id}`));
  }

  @Get('app.js')
  script(@Res() response: Response): void {
    SCRIPT.send(response);
  }
}
