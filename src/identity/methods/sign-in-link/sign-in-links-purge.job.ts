import { Injectable } from '@nestjs/common';
import { oldRows } from '../../../database/index.js';
import { PurgeJob } from '../../../queue/index.js';
import { SignInLinkRow } from './sign-in-link.entity.js';

/** Removes expired links. */
@Injectable()
export class SignInLinksPurge extends PurgeJob {
  protected readonly name = 'sign-in-links.purge';
  protected readonly old = [oldRows(SignInLinkRow, 'expiresAt')];
}
