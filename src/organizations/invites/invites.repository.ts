import { Injectable } from '@nestjs/common';
import type { OrganizationId, Role } from '../../auth/index.js';
import { Database, OrganizationRepository, asSystem, scopedStatement, type Transaction } from '../../database/index.js';
import { INVITE_DAYS, MAX_OPEN_INVITES } from './invite.errors.js';
import { InviteRow, type InviteStatus } from './invite.entity.js';

/** An invite as lists show it. */
export interface ListedInvite {
  id: string;
  organizationId: string;
  organizationName: string;
  email: string;
  role: Role;
  status: InviteStatus;
  alias: string | null;
  walletPublicKey: string | null;
  createdBy: string;
}

export type NewInvite = Pick<InviteRow, 'id' | 'email' | 'role' | 'tokenHash' | 'createdBy'> & {
  alias: string | null;
  walletPublicKey: string | null;
};

/** The number of answered invites in a list, newest first. */
export const MAX_ANSWERED_LISTED = 100;

const OPEN = "status = 'pending' AND expires_at > now()";
const COLUMNS = `i.id, i.organization_id AS "organizationId", i.email, i.role, i.status, i.alias,
  i.wallet_public_key AS "walletPublicKey", i.created_by AS "createdBy"`;
const LISTED = `${COLUMNS}, o.name AS "organizationName"`;

/** In id order: an invite may be removed by its organization and with its person at once. */
const IN_ORDER = 'ORDER BY id FOR UPDATE';
/** Whether the inviter may still give the role, which takes an admin. Roles are compared by position, highest first. */
const isGivenBy = (roles: string): string => `EXISTS (
     SELECT FROM members m WHERE m.organization_id = $1 AND m.user_id = i.created_by
     AND array_position(${roles}::text[], m.role) <=
       least(array_position(${roles}, i.role), array_position(${roles}, 'admin')))`;
/**
 * Also removes invites of the address whose email was never handed over, once their request must have ended, and those
 * that nobody can accept: of earlier versions, they stay when their inviter loses the right to send them.
 */
const FORGET = scopedStatement(
  'invites.forget',
  `WITH gone AS (
     SELECT id FROM invites i WHERE i.organization_id = $1 AND i.status = 'pending' AND (i.expires_at <= now()
       OR (i.email = $2 AND i.sent_at IS NULL AND i.created_at < now() - interval '1 minute')
       OR (i.email = $2 AND NOT ${isGivenBy('$3')}))
     ${IN_ORDER})
   DELETE FROM invites WHERE organization_id = $1 AND id IN (SELECT id FROM gone)`,
);
const INSERT = scopedStatement(
  'invites.insert',
  `INSERT INTO invites (organization_id, id, email, role, alias, wallet_public_key, token_hash, created_by, expires_at)
   SELECT $1, $2, $3, $4, $5, $6, $7, $8, now() + interval '${INVITE_DAYS} days'
   WHERE (SELECT count(*) FROM invites WHERE organization_id = $1 AND ${OPEN}) < ${MAX_OPEN_INVITES}
   ON CONFLICT DO NOTHING`,
);
const MARK_SENT = scopedStatement(
  'invites.markSent',
  'UPDATE invites SET sent_at = now() WHERE organization_id = $1 AND id = $2',
);
const LIST = scopedStatement(
  'invites.list',
  `SELECT ${LISTED} FROM organizations o, LATERAL (
     (SELECT * FROM invites WHERE organization_id = $1 AND ${OPEN} ORDER BY id DESC LIMIT ${MAX_OPEN_INVITES})
     UNION ALL
     (SELECT * FROM invites WHERE organization_id = $1 AND status = 'accepted' ORDER BY id DESC LIMIT ${MAX_ANSWERED_LISTED})
     UNION ALL
     (SELECT * FROM invites WHERE organization_id = $1 AND status = 'rejected' ORDER BY id DESC LIMIT ${MAX_ANSWERED_LISTED})
   ) i WHERE o.id = $1 ORDER BY i.id DESC`,
);
const LIST_OF_ADDRESSES = asSystem(
  'people ask for the invites to their own addresses, of whichever organization',
).statement(
  'invites.listOfAddresses',
  `SELECT ${LISTED} FROM unnest($1::text[]) AS address, LATERAL (
     SELECT * FROM invites WHERE email = address AND status = $2 AND (status <> 'pending' OR expires_at > now())
     ORDER BY id DESC LIMIT ${MAX_ANSWERED_LISTED}) i
   JOIN organizations o ON o.id = i.organization_id
   ORDER BY i.id DESC LIMIT ${MAX_ANSWERED_LISTED}`,
);
const FIND_ANYWHERE = asSystem('the invited person belongs to no organization yet').statement(
  'invites.findAnywhere',
  `SELECT ${LISTED} FROM invites i JOIN organizations o ON o.id = i.organization_id WHERE i.id = $1`,
);
const FIND_BY_TOKEN = asSystem('whoever holds the emailed link belongs to no organization yet').statement(
  'invites.findByToken',
  `SELECT ${LISTED} FROM invites i JOIN organizations o ON o.id = i.organization_id
   WHERE i.token_hash = $1 AND i.status = 'pending' AND i.expires_at > now()`,
);
const ANSWER = scopedStatement(
  'invites.answer',
  `UPDATE invites i SET status = $3, answered_at = now(), answered_by = $4
   WHERE i.organization_id = $1 AND i.id = $2 AND i.status = 'pending' AND i.expires_at > now()
   AND i.email = ANY ($5::text[]) AND ($3 = 'rejected' OR ${isGivenBy('$6')})
   RETURNING ${COLUMNS}`,
);
/** An accepted invite has become a membership and is not withdrawn, but ended as one. */
const WITHDRAW = scopedStatement(
  'invites.withdraw',
  `DELETE FROM invites i WHERE i.organization_id = $1 AND i.id = $2 AND i.status <> 'accepted' RETURNING ${COLUMNS}`,
);
const WITHDRAW_PENDING = scopedStatement(
  'invites.withdrawPending',
  `WITH gone AS (
     SELECT id FROM invites WHERE organization_id = $1 AND email = ANY ($2::text[]) AND status = 'pending' ${IN_ORDER})
   DELETE FROM invites i WHERE i.organization_id = $1 AND i.id IN (SELECT id FROM gone) RETURNING ${COLUMNS}`,
);
/** Roles are compared as in `isGivenBy`; a null role is that of somebody who is no member any more. */
const WITHDRAW_VOID = scopedStatement(
  'invites.withdrawVoid',
  `WITH gone AS (
     SELECT id FROM invites WHERE organization_id = $1 AND status = 'pending' AND created_by = $2
       AND ($3::text IS NULL OR array_position($4::text[], $3) > least(array_position($4, role), array_position($4, 'admin')))
     ${IN_ORDER})
   DELETE FROM invites i WHERE i.organization_id = $1 AND i.id IN (SELECT id FROM gone) RETURNING ${COLUMNS}`,
);
/** Invites that a person answered, and those pending at their addresses. */
const FORGET_PERSON = asSystem('a person who is forgotten was invited by whichever organizations').statement(
  'invites.forgetPerson',
  `WITH gone AS (
     SELECT organization_id, id FROM invites
     WHERE answered_by = $1 OR (email = ANY ($2::text[]) AND status = 'pending') ${IN_ORDER})
   DELETE FROM invites i USING gone WHERE i.organization_id = gone.organization_id AND i.id = gone.id`,
);

export type AnsweredInvite = Omit<ListedInvite, 'organizationName'>;

@Injectable()
export class InvitesRepository extends OrganizationRepository<InviteRow> {
  constructor(database: Database) {
    super(database, InviteRow);
  }

  /** Makes room. From here to the end of the transaction, invites of the organization are serialised. */
  async makeRoom(
    organizationId: OrganizationId,
    email: string,
    roles: readonly Role[],
    tx: Transaction,
  ): Promise<void> {
    await this.lockTenant(organizationId, tx);
    await tx.execute(FORGET, [organizationId, email, roles]);
  }

  /** False when the address has an open invite or the limit is reached. */
  async insertWithin(organizationId: OrganizationId, invite: NewInvite, tx: Transaction): Promise<boolean> {
    const { id, email, role, alias, walletPublicKey, tokenHash, createdBy } = invite;
    const values = [organizationId, id, email, role, alias, walletPublicKey, tokenHash, createdBy];
    return (await tx.execute(INSERT, values)) === 1;
  }

  markSent(organizationId: OrganizationId, id: string): Promise<number> {
    return this.database.execute(MARK_SENT, [organizationId, id]);
  }

  /** Open invites and the newest answered ones, newest first. */
  listAll(organizationId: OrganizationId): Promise<ListedInvite[]> {
    return this.database.rows(LIST, [organizationId]);
  }

  /** The newest invites to any of the addresses; pending ones only while unexpired. */
  listOfAddresses(addresses: readonly string[], status: InviteStatus): Promise<ListedInvite[]> {
    return this.database.rows(LIST_OF_ADDRESSES, [addresses, status]);
  }

  async findAnywhere(id: string): Promise<ListedInvite | null> {
    return (await this.database.rows<ListedInvite>(FIND_ANYWHERE, [id]))[0] ?? null;
  }

  /** The open invite with a given token. */
  async findByToken(tokenHash: Buffer): Promise<ListedInvite | null> {
    return (await this.database.rows<ListedInvite>(FIND_BY_TOKEN, [tokenHash]))[0] ?? null;
  }

  /**
   * Answers an invite. Null unless it is open, addressed to one of the addresses and, when accepting, created by
   * somebody who may still grant its role. Only one of several concurrent answers succeeds.
   */
  async answer(
    organizationId: OrganizationId,
    id: string,
    answer: { status: InviteStatus; userId: string; addresses: readonly string[]; roles: readonly Role[] },
    tx: Transaction,
  ): Promise<AnsweredInvite | null> {
    const { status, userId, addresses, roles } = answer;
    const values = [organizationId, id, status, userId, addresses, roles];
    return (await tx.rows<AnsweredInvite>(ANSWER, values))[0] ?? null;
  }

  /** The removed invite; null when it does not exist or was accepted. */
  async withdraw(organizationId: OrganizationId, id: string, tx: Transaction): Promise<AnsweredInvite | null> {
    return (await tx.rows<AnsweredInvite>(WITHDRAW, [organizationId, id]))[0] ?? null;
  }

  /** The removed invites, which were pending at these addresses. */
  withdrawPending(
    organizationId: OrganizationId,
    addresses: readonly string[],
    tx: Transaction,
  ): Promise<AnsweredInvite[]> {
    return tx.rows<AnsweredInvite>(WITHDRAW_PENDING, [organizationId, addresses]);
  }

  /** The removed invites, which were pending and whose inviter may no longer give their role. */
  withdrawVoid(
    organizationId: OrganizationId,
    inviter: { userId: string; role: Role | null; roles: readonly Role[] },
    tx: Transaction,
  ): Promise<AnsweredInvite[]> {
    const { userId, role, roles } = inviter;
    return tx.rows<AnsweredInvite>(WITHDRAW_VOID, [organizationId, userId, role, roles]);
  }

  /** Removes what contains the addresses of a person who is deleted. */
  async forgetPerson(userId: string, addresses: readonly string[], tx: Transaction): Promise<void> {
    await tx.execute(FORGET_PERSON, [userId, addresses]);
  }
}
