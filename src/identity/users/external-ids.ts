import { Injectable } from '@nestjs/common';
import { lockTenant, type EnvironmentId, type Transaction } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { IdentifierClaimsRepository } from '../credentials/identifier-claims.repository.js';
import { identifierKeyOf, type IdentifierKey } from '../credentials/identifier-key.js';

/**
 * The id by which a team's own sign-in knows somebody: API calls name it alone, and tokens as the subject of the issuer
 * that the environment trusts. Whom the one has named is who comes with the other.
 */
@Injectable()
export class ExternalIds {
  constructor(
    private readonly claims: IdentifierClaimsRepository,
    private readonly settings: EnvironmentSettingsReader,
  ) {}

  /**
   * Whom an API call means by an id that is nobody's: the user who comes as that subject.
   * @param tx in which an answer of null stays true
   */
  async findSubject(environmentId: EnvironmentId, key: IdentifierKey, tx?: Transaction): Promise<string | null> {
    const [value] = key.spellings;
    if (key.kind !== 'externalUserId' || value === undefined) return null;
    const { externalAuth } = (await this.settings.get(environmentId)).security;
    if (!externalAuth?.enabled || !externalAuth.iss) return null;
    const subject = identifierKeyOf({ kind: 'foreignSubject', value, issuer: externalAuth.iss });
    if (tx) await this.hold(environmentId, value, tx);
    return (await this.claims.find(environmentId, subject, tx)).userId;
  }

  /** Whom an API call has named by a subject that is nobody's, and nobody has come as yet. Stays true in the transaction. */
  async findNamed(environmentId: EnvironmentId, key: IdentifierKey, tx: Transaction): Promise<string | null> {
    const named = idOf(key);
    if (!named) return null;
    await this.hold(environmentId, key.spellings[0]!, tx);
    const { userId, isProven } = await this.claims.find(environmentId, named, tx);
    return isProven ? null : userId;
  }

  /**
   * From here on the id names who has come with that subject: the same subject of a later issuer is somebody else.
   * False when somebody was faster.
   */
  async settle(environmentId: EnvironmentId, key: IdentifierKey, userId: string, tx: Transaction): Promise<boolean> {
    return this.claims.prove(environmentId, idOf(key)!, userId, tx);
  }

  /** Both forms have claims of their own, so nothing but a lock keeps two calls from making a user each. */
  private hold(environmentId: EnvironmentId, value: string, tx: Transaction): Promise<void> {
    return lockTenant(`external id ${value}`, environmentId, tx);
  }
}

/** The id alone that a subject is; null for every other kind of identifier. */
function idOf({ kind, spellings: [value] }: IdentifierKey): IdentifierKey | null {
  return kind === 'foreignSubject' && value !== undefined ? identifierKeyOf({ kind: 'externalUserId', value }) : null;
}
