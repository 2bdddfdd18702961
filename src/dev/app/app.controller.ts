import { existsSync } from 'node:fs';
import { Controller, Get, Param, Res, UseGuards } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { Page } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { API_PREFIX } from '../../common/http/operation.js';
import { Asset, asPage, LocalOnlyGuard } from '../../pages/index.js';
import { Quickstarts } from '../quickstarts.js';
import { APP_PATH, appPage, noAppPage } from './app-page.js';

const NAMES = [
  ...['app', 'service', 'session', 'codes', 'accounts', 'passkey', 'wallet', 'telegram', 'foreign-token'],
  ...['factors', 'linking', 'wallets', 'bytes', 'hpke', 'stamps', 'chain', 'rlp'],
  ...['shared', 'device', 'delegation'],
];
const addressOf = (name: string): URL => new URL(`./scripts/${name}.js`, import.meta.url);
/** Built from clients/custody, so missing when running from sources. */
const BUILT = ['custody'].filter((name) => existsSync(addressOf(name)));
const SCRIPTS = new Map([...NAMES, ...BUILT].map((name) => [`${name}.js`, new Asset(addressOf(name), 'js')]));

/** A demo application for trying every sign-in method of the sandbox, and what follows a sign-in. */
@Page()
@Controller(APP_PATH)
@UseGuards(LocalOnlyGuard)
export class DevelopmentAppController {
  constructor(private readonly quickstarts: Quickstarts) {}

  @Get()
  async show(@Res({ passthrough: true }) response: ExpressResponse): Promise<string> {
    const quickstart = await this.quickstarts.find();
    if (!quickstart) return asPage(response, noAppPage());
    return asPage(response, appPage(`/${API_PREFIX}/sdk/${quickstart.environments.sandbox.id}`));
  }

  /** @throws ApiError 404 for an unknown script */
  @Get(':name')
  script(@Param('name') name: string, @Res() response: ExpressResponse): void {
    const script = SCRIPTS.get(name);
    if (!script) throw notFound();
    script.send(response);
  }
}
