import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { Nonce } from './nonce.entity.js';

/** Removes unused nonces. */
@Injectable()
export class NoncesPurge extends PurgeJob {
  protected readonly name = 'nonces.purge';
  protected readonly old = [oldRows(Nonce, 'expiresAt')];
}
