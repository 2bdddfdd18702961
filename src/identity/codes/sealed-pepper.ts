import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Envelope, KeyVault, SealedRecords, SealedRecordsRegistry } from '../../vault/index.js';
import { PepperRepository } from './pepper.repository.js';
import { PEPPER_CONTEXT, PEPPER_NAME } from './pepper.js';

/** The pepper in master key rotation: one row, or none before the first start. */
@Injectable()
export class SealedPepper extends SealedRecords implements OnModuleInit {
  readonly name = 'service_secrets.sealed';

  constructor(
    private readonly secrets: PepperRepository,
    private readonly envelope: Envelope,
    private readonly vault: KeyVault,
    private readonly registry: SealedRecordsRegistry,
  ) {
    super();
  }

  onModuleInit(): void {
    this.registry.register(this);
  }

  override async count(): Promise<number> {
    const sealed = await this.secrets.find(PEPPER_NAME);
    return sealed && this.envelope.keyIdOf(sealed) !== this.vault.currentKeyId ? 1 : 0;
  }

  override async rewrapBatch(): Promise<number> {
    const sealed = await this.secrets.find(PEPPER_NAME);
    const rewrapped = sealed && (await this.envelope.rewrap(sealed, PEPPER_CONTEXT));
    return rewrapped ? this.secrets.replace(PEPPER_NAME, sealed, rewrapped) : 0;
  }
}
