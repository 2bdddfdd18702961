import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Envelope, SealedBlobError, SecretBytes, type SealContext } from '../../vault/index.js';
import { PepperRepository } from './pepper.repository.js';

export const PEPPER_NAME = 'one-time-code-pepper';
const PEPPER_BYTES = 32;
/** A deployment-wide secret has no environment; the nil UUID (RFC 9562 §5.9) takes its place. */
export const PEPPER_CONTEXT: SealContext = {
  purpose: 'service-secret',
  environmentId: '00000000-0000-0000-0000-000000000000',
  subjectId: PEPPER_NAME,
  kind: 'pepper',
};

/** The HMAC key of one-time codes: generated once per deployment, sealed in the database, opened once per process. */
@Injectable()
export class Pepper implements OnApplicationBootstrap {
  private opened: Promise<SecretBytes> | null = null;

  constructor(
    private readonly secrets: PepperRepository,
    private readonly envelope: Envelope,
  ) {}

  /**
   * Opened before the first request, so that no transaction waits for it. A wrong master key aborts startup: it would
   * open no other secret of this database either. Other failures are reported at first use.
   */
  async onApplicationBootstrap(): Promise<void> {
    await this.bytes().catch((error: unknown) => {
      if (error instanceof SealedBlobError) throw error;
    });
  }

  async bytes(): Promise<Buffer> {
    this.opened ??= this.open().catch((error: unknown) => {
      this.opened = null;
      throw error;
    });
    return (await this.opened).expose();
  }

  /** The first insert wins; every instance uses the stored value. */
  private async open(): Promise<SecretBytes> {
    let sealed = await this.secrets.find(PEPPER_NAME);
    if (!sealed) {
      const fresh = SecretBytes.random(PEPPER_BYTES);
      await this.secrets.add(PEPPER_NAME, await this.envelope.seal(fresh, PEPPER_CONTEXT));
      fresh.wipe();
      sealed = await this.secrets.find(PEPPER_NAME);
    }
    if (!sealed) throw new Error('The pepper of one-time codes could not be stored.');
    return this.envelope.open(sealed, PEPPER_CONTEXT);
  }
}
