import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import { Config } from '../../../config/index.js';
import { UnitOfWork, type OrganizationId } from '../../../database/index.js';
import { ChangeLog, EnvironmentsProvisioner, SERVICE } from '../../../organizations/index.js';
import { SignInFlow } from '../../flows/sign-in/sign-in.flow.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import { secretHash, SignInLinkMethod } from './sign-in-link.method.js';
import { SIGN_IN_PATH } from './sign-in.page.js';
import { SignInLinksRepository } from './sign-in-links.repository.js';

const TTL_MINUTES = 10;
const SECRET_BYTES = 32;
const LINK_MADE = 'member.link.created';

/** The recipient of a link. */
export interface LinkedMember {
  organizationId: OrganizationId;
  userId: string;
  /** In normal form. */
  email: string;
}

/** Links that the operator gives to members who cannot be reached by email, such as the first owner. */
@Injectable()
export class SignInLinks {
  constructor(
    private readonly links: SignInLinksRepository,
    private readonly method: SignInLinkMethod,
    private readonly signIns: SignInFlow,
    private readonly provisioner: EnvironmentsProvisioner,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly config: Config,
  ) {}

  /**
   * Creates a single-use link, valid for ten minutes; it invalidates an earlier one for the same person. Its secret is
   * in the fragment, which browsers send to no server, so that it appears in no log.
   */
  async create({ organizationId, userId, email }: LinkedMember): Promise<{ url: string; expiresAt: Date }> {
    const environmentId = await this.provisioner.ensureConsole();
    const secret = `ghl_${randomBytes(SECRET_BYTES).toString('base64url')}`;
    const link = { secretHash: secretHash(secret), userId, email, ttlSeconds: TTL_MINUTES * 60 };
    const expiresAt = await this.work.run(async (tx) => {
      const resource = { type: 'user', id: userId };
      this.changes.note({ scope: { organizationId }, actor: SERVICE, action: LINK_MADE, resource }, tx);
      return this.links.replace(environmentId, link, tx);
    });
    return { url: `${this.config.publicUrl}/${SIGN_IN_PATH}#${secret}`, expiresAt };
  }

  /** The tokens for the page to keep. @throws ApiError 422 `wrong_sign_in_link`, 429 after ten calls per minute */
  async tokensFor(secret: string, client: ClientOrigin): Promise<Pick<SignedIn, 'jwt' | 'expiresAt' | 'mfaToken'>> {
    const environmentId = await this.provisioner.ensureConsole();
    const { jwt, expiresAt, mfaToken } = await this.signIns.complete(environmentId, this.method, secret, { client });
    return { jwt, expiresAt, ...(mfaToken !== undefined && { mfaToken }) };
  }
}
