import { Controller, Get, Param, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { Page } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { API_PREFIX } from '../../common/http/operation.js';
import { Config } from '../../config/index.js';
import { Asset, asPage, LocalOnlyGuard } from '../../pages/index.js';
import { readQuickstart } from '../quickstart.js';
import { APP_PATH, appPage, noAppPage } from './app-page.js';

const NAMES = [
  ...['app', 'service', 'session', 'codes', 'accounts', 'passkey', 'wallet', 'telegram', 'foreign-token'],
  ...['factors', 'linking', 'wallets', 'bytes', 'hpke', 'stamps', 'chain', 'rlp'],
];
const SCRIPTS = new Map(
  NAMES.map((name) => [`${name}.js`, new Asset(new URL(`./scripts/${name}.js`, import.meta.url), 'js')]),
);

/** An application in development, to try every way to sign in that the sandbox has, and what comes after it. */
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

  /** @throws ApiError 404 for a name that the page does not load */
  @Get(':name')
  script(@Param('name') name: string, @Res() response: Response): void {
    const script = SCRIPTS.get(name);
    if (!script) throw notFound();
    script.send(response);
  }
}
