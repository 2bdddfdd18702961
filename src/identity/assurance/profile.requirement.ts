import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  AssuranceRequirement,
  AssuranceRequirements,
  type AssuranceSubject,
  type Outstanding,
} from './requirements.js';

/** A required profile field is missing. Decided from the user read for the token, without a statement. */
@Injectable()
export class ProfileRequirement extends AssuranceRequirement implements OnModuleInit {
  readonly scope = 'userDataForm';

  constructor(private readonly requirements: AssuranceRequirements) {
    super();
  }

  onModuleInit(): void {
    this.requirements.register(this);
  }

  override async outstanding({ user }: AssuranceSubject): Promise<Outstanding | null> {
    return user.missingFields?.some(({ required }) => required) ? {} : null;
  }
}
