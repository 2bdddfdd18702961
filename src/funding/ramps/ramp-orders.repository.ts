import { Injectable } from '@nestjs/common';
import { Database, ScopedRepository } from '../../database/index.js';
import { RampOrder } from './ramp-order.entity.js';

@Injectable()
export class RampOrdersRepository extends ScopedRepository<RampOrder> {
  constructor(database: Database) {
    super(database, RampOrder);
  }
}
