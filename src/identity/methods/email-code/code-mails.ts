import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { EnvironmentSettingsReader } from '../../../environments/index.js';
import { Mailer } from '../../../providers/index.js';
import { IdentifierClaimsRepository } from '../../credentials/identifier-claims.repository.js';
import { acceptedLanguage } from '../../notices/languages.js';
import { codeMail } from './code-mail.js';

export interface CodeLetter {
  /** In normal form. */
  to: string;
  code: string;
  minutes: number;
  /** The raw `Accept-Language` of the browser that requested the code. */
  acceptLanguage: string | null;
}

/**
 * Emails one-time codes in the language of the user who has proven the address, or else in one the browser accepts. The
 * look-up runs whether or not the address has an owner, so timing does not reveal it.
 */
@Injectable()
export class CodeMails {
  constructor(
    private readonly settings: EnvironmentSettingsReader,
    private readonly claims: IdentifierClaimsRepository,
    private readonly mailer: Mailer,
    private readonly config: Config,
  ) {}

  async send(environmentId: EnvironmentId, { to, code, minutes, acceptLanguage }: CodeLetter): Promise<void> {
    const stored = await this.claims.findLanguage(environmentId, 'email', to);
    const { general } = await this.settings.get(environmentId);
    const content = codeMail({
      ...{ code, minutes, publicUrl: this.config.publicUrl },
      brand: general.emailCompanyName || general.displayName || '',
      language: stored ?? acceptedLanguage(acceptLanguage),
    });
    await this.mailer.send({ environmentId, to, code, ...content });
  }
}
