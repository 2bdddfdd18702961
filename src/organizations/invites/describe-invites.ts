import { hinted } from '../audit/redaction.js';
import type { PeopleDirectory } from '../members/people-directory.js';
import type { Invite, InvitesResponse } from './invite.dto.js';
import type { InviteRow } from './invite.entity.js';
import type { ListedInvite } from './invites.repository.js';

type People = Awaited<ReturnType<PeopleDirectory['findPeople']>>;

/** The inviters of some invites, without duplicates. */
export const invitersOf = (rows: readonly ListedInvite[]): string[] => [
  ...new Set(rows.map(({ createdBy }) => createdBy)),
];

export const describeInvites = (rows: readonly ListedInvite[], people: People): InvitesResponse => ({
  count: rows.length,
  invites: rows.map(({ createdBy, alias, walletPublicKey, ...row }): Invite => {
    const createdByEmail = people.get(createdBy)?.email;
    return {
      ...row,
      ...(alias !== null && { alias }),
      ...(walletPublicKey !== null && { walletPublicKey }),
      ...(createdByEmail && { createdByEmail }),
    };
  }),
});

type Published = Pick<InviteRow, 'id' | 'email' | 'role' | 'status' | 'alias' | 'walletPublicKey'>;

/** What events show of an invite: never its token, not even its hash. */
export const publishedInvite = ({
  id,
  email,
  role,
  status,
  alias,
  walletPublicKey,
}: Published): Partial<Published> => ({
  ...{ id, email, role, status },
  ...(alias !== null && { alias }),
  ...(walletPublicKey !== null && { walletPublicKey }),
});

/** What the audit trail keeps permanently, even after the person is deleted. */
export const recordedInvite = ({ id, email, role, status }: Published): Partial<Published> => ({
  ...{ id, role, status },
  email: hinted(email),
});
