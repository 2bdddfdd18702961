import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  AssuranceRequirement,
  AssuranceRequirements,
  type AssuranceSubject,
  type Outstanding,
} from './requirements.js';

/** A required field of the profile is missing. The user that was read for the token says so: no statement. */
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
