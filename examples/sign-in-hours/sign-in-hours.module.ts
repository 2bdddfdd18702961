import { Module, type DynamicModule } from '@nestjs/common';
import { IdentityModule } from '../../src/identity/index.js';
import { OpeningHours } from './opening-hours.js';
import { SignInHoursCheck } from './sign-in-hours.check.js';

@Module({})
export class SignInHoursModule {
  /** @param from opening time, `HH:MM` in UTC; `to` is the closing time, exclusive */
  static between(from: string, to: string): DynamicModule {
    return {
      module: SignInHoursModule,
      imports: [IdentityModule],
      providers: [{ provide: OpeningHours, useValue: OpeningHours.between(from, to) }, SignInHoursCheck],
    };
  }
}
