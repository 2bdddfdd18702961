import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../src/common/clock.js';
import type { EnvironmentId } from '../../src/database/index.js';
import { OneAnswerMethod, SignInMethods, type Proof } from '../../src/identity/index.js';
import { wrongLink } from './one-time-link.errors.js';
import { OneTimeLinksRepository } from './one-time-links.repository.js';

/** The stored form of a secret. 256 random bits cannot be guessed: a plain hash suffices, without an attempt limit. */
export const secretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** The holder of the link is the person it was created for. */
@Injectable()
export class OneTimeLinkMethod extends OneAnswerMethod<{ secret: string }> implements OnModuleInit {
  readonly name = 'one-time-link';
  readonly proves = [] as const;

  constructor(
    private readonly links: OneTimeLinksRepository,
    private readonly methods: SignInMethods,
    private readonly clock: Clock,
  ) {
    super();
  }

  onModuleInit(): void {
    this.methods.register(this);
  }

  override async prove(environmentId: EnvironmentId, { secret }: { secret: string }): Promise<Proof> {
    const hash = secretHash(secret);
    const person = await this.links.findPerson(environmentId, hash);
    if (person === null) throw wrongLink();
    return {
      identifiers: [{ identifier: { kind: 'externalUserId', value: person }, strength: 'proven' }],
      assurance: { amr: ['one-time-link'], factor: 'possession', at: this.clock.now() },
      redeem: async (tx) => {
        if (!(await this.links.use(environmentId, hash, tx))) throw wrongLink();
      },
    };
  }
}
