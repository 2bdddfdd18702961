import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../database/index.js';
import type { Admission } from './sign-in-checks.js';

/** An effect of a sign-in that never refuses it. */
export abstract class SignInEffect {
  /** @param tx the transaction of the sign-in, after the session is written */
  abstract follow(admission: Admission, tx: Transaction): Promise<void>;
}

/** The effects of a sign-in, in registration order. */
@Injectable()
export class SignInEffects {
  private readonly effects: SignInEffect[] = [];

  register(effect: SignInEffect): void {
    this.effects.push(effect);
  }

  async run(admission: Admission, tx: Transaction): Promise<void> {
    for (const effect of this.effects) await effect.follow(admission, tx);
  }
}
