import { Injectable } from '@nestjs/common';
import { Database } from '../../database/index.js';
import { TextSetRepository } from '../text-sets/text-set.repository.js';
import { DeeplinkUrlEntity } from './deeplink-url.entity.js';

@Injectable()
export class DeeplinkUrlsRepository extends TextSetRepository<DeeplinkUrlEntity> {
  constructor(database: Database) {
    super(database, DeeplinkUrlEntity, 'url');
  }
}
