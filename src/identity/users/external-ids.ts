import { Injectable } from '@nestjs/common';
import { lockTenant, type EnvironmentId, type Transaction } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { IdentifierClaimsRepository } from '../credentials/identifier-claims.repository.js';
import { identifierKeyOf, type IdentifierKey } from '../credentials/identifier-key.js';

/**
 * The user id in a customer's own sign-in. API calls give it alone; tokens give it as the subject of the issuer that
 * the environment trusts. Both forms name the same user.
 */
@Injectable()
export class ExternalIds {
  constructor(
    private readonly claims: IdentifierClaimsRepository,
    private readonly settings: EnvironmentSettingsReader,
  ) {}

  /**
   * The user an API call means by an unclaimed id: the owner of the matching subject.
   * @param tx in which an answer of null stays true
   */
  async findSubject(environmentId: EnvironmentId, key: IdentifierKey, tx?: Transaction): Promise<string | null> {
    const [value] = key.spellings;
    if (key.kind !== 'externalUserId' || value === undefined) return null;
    const subject = await this.subjectOf(environmentId, value);
    if (!subject) return null;
    if (tx) await this.hold(environmentId, value, tx);
    return (await this.claims.find(environmentId, subject, tx)).userId;
  }

  /**
   * The user that an API call gave this subject's id, if it is still unproven. Stays true in the transaction. The id is of
   * the issuer that the environment trusts: elsewhere, as with an extension's method, the same subject is somebody else.
   */
  async findNamed(environmentId: EnvironmentId, key: IdentifierKey, tx: Transaction): Promise<string | null> {
    const named = idOf(key);
    if (!named) return null;
    const [value] = key.spellings as [string];
    if ((await this.subjectOf(environmentId, value))?.identifier !== key.identifier) return null;
    await this.hold(environmentId, value, tx);
    const { userId, isProven } = await this.claims.find(environmentId, named, tx);
    return isProven ? null : userId;
  }

  /**
   * Binds the id to the user who signed in with that subject: the same subject from a later issuer is another user.
   * False if another call was faster.
   */
  async settle(environmentId: EnvironmentId, key: IdentifierKey, userId: string, tx: Transaction): Promise<boolean> {
    return this.claims.prove(environmentId, idOf(key)!, userId, tx);
  }

  /** Whether it is a subject of another issuer than the one that the environment trusts. */
  async isElsewhere(environmentId: EnvironmentId, { kind, identifier, credential }: IdentifierKey): Promise<boolean> {
    if (kind !== 'foreignSubject' || credential.publicIdentifier !== identifier) return false;
    const { externalAuth } = (await this.settings.get(environmentId)).security;
    return !externalAuth?.iss || !identifier.startsWith(`${externalAuth.iss} `);
  }

  /** The subject with this id at the issuer that the environment trusts; null if it trusts none. */
  private async subjectOf(environmentId: EnvironmentId, value: string): Promise<IdentifierKey | null> {
    const { externalAuth } = (await this.settings.get(environmentId)).security;
    if (!externalAuth?.enabled || !externalAuth.iss) return null;
    return identifierKeyOf({ kind: 'foreignSubject', value, issuer: externalAuth.iss, isTrusted: true });
  }

  /** The two forms have separate claims, so only a lock keeps two calls from creating a user each. */
  private hold(environmentId: EnvironmentId, value: string, tx: Transaction): Promise<void> {
    return lockTenant(`external id ${value}`, environmentId, tx);
  }
}

/** The bare id of a subject; null for every other kind of identifier. */
function idOf({ kind, spellings: [value] }: IdentifierKey): IdentifierKey | null {
  return kind === 'foreignSubject' && value !== undefined ? identifierKeyOf({ kind: 'externalUserId', value }) : null;
}
