import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { EnvironmentInitializer, EnvironmentInitializers, type NewEnvironment } from '../../organizations/index.js';
import { EMAIL_ONLY } from '../email/email-providers.js';
import { ProvidersRepository } from './providers.repository.js';

/** Enables sign-in by email code in every new environment, the console included: it needs no external service. */
@Injectable()
export class ProviderInitializer extends EnvironmentInitializer {
  constructor(
    private readonly providers: ProvidersRepository,
    initializers: EnvironmentInitializers,
  ) {
    super();
    initializers.register(this);
  }

  override async initialize(environmentId: EnvironmentId, _made: NewEnvironment, tx: Transaction): Promise<void> {
    await this.providers.enable(environmentId, EMAIL_ONLY, tx);
  }
}
