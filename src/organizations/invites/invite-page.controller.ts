import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { Page } from '../../auth/index.js';
import { API_PREFIX } from '../../common/http/operation.js';
import { Config } from '../../config/index.js';
import { Asset, asPage } from '../../pages/index.js';
import { EnvironmentsProvisioner } from '../environments/environments-provisioner.js';
import { closedInvitePage, invitePage } from './invite-page.js';
import { ReceivedInvites } from './received-invites.service.js';

const SCRIPT = new Asset(new URL('./invite.script.js', import.meta.url), 'js');

/** The target of the emailed link. Opening it changes nothing: accepting requires a sign-in with the invited address. */
@Page()
@Controller('invites')
export class InvitePageController {
  constructor(
    private readonly invites: ReceivedInvites,
    private readonly provisioner: EnvironmentsProvisioner,
    private readonly config: Config,
  ) {}

  @Get('assets/invite.js')
  script(@Res() response: ExpressResponse): void {
    SCRIPT.send(response);
  }

  @Get(':token')
  async show(@Param('token') token: string, @Res({ passthrough: true }) response: ExpressResponse): Promise<string> {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Robots-Tag', 'noindex');
    const invite = await this.invites.findByLink(token);
    if (!invite) {
      response.status(404);
      return asPage(response, closedInvitePage());
    }
    const consoleEnvironmentId = await this.provisioner.ensureConsole();
    const sdk = `/${API_PREFIX}/sdk/${consoleEnvironmentId}`;
    const api = `${this.config.publicUrl}/${API_PREFIX}`;
    return asPage(response, invitePage({ invite, sdk, api, docs: this.config.get('API_DOCS') }));
  }
}
