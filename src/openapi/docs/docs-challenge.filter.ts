import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { ApiError } from '../../common/errors/index.js';
import { asPage, html, page } from '../../pages/index.js';

/** Makes the browser prompt for a personal token, and shows the reason on a page. */
@Catch(ApiError)
export class DocsChallengeFilter implements ExceptionFilter<ApiError> {
  catch(error: ApiError, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    if (error.status === 401) response.setHeader('WWW-Authenticate', 'Basic realm="Gatehouse", charset="UTF-8"');
    const hint = error.status === 401 ? 'Enter any user name, and a personal token as the password.' : error.message;
    response.status(error.status).send(asPage(response, page({ title: 'For members', body: html`<p>${hint}</p>` })));
  }
}
