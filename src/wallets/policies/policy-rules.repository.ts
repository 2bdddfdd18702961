import { Injectable } from '@nestjs/common';
import { Database, ScopedRepository } from '../../database/index.js';
import { SigningPolicyRuleRow } from './policy.entity.js';

@Injectable()
export class PolicyRulesRepository extends ScopedRepository<SigningPolicyRuleRow> {
  constructor(database: Database) {
    super(database, SigningPolicyRuleRow);
  }
}
