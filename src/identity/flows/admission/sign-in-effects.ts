import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../database/index.js';
import type { Admission } from './sign-in-checks.js';

/** Something that follows from a sign-in and refuses nobody. */
export abstract class SignInEffect {
  /** @param tx the transaction of the sign-in, whose session is written */
  abstract follow(admission: Admission, tx: Transaction): Promise<void>;
}

/** What follows from a sign-in, in the order of registration. */
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
