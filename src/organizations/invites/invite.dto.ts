import { ROLES, type Role } from '../../auth/index.js';
import {
  EmailField,
  EnumField,
  IntegerField,
  ListField,
  PickOf,
  StringField,
  UuidField,
  defineEnum,
} from '../../common/fields/index.js';
import type { InviteStatus } from './invite.entity.js';

export const INVITE_STATUSES = defineEnum('InviteStatusEnum', ['pending', 'rejected', 'accepted']);

export class Invite {
  @UuidField({ optional: true })
  id?: string;

  @UuidField()
  organizationId!: string;

  @StringField()
  organizationName!: string;

  @EnumField(INVITE_STATUSES)
  status!: InviteStatus;

  @EmailField({ optional: true, max: Infinity, description: 'The address it is bound to.' })
  email?: string;

  @StringField({ optional: true })
  alias?: string;

  @StringField({ optional: true })
  walletPublicKey?: string;

  @EnumField(ROLES, { optional: true, description: 'The role of the member that it makes.' })
  role?: Role;

  @EmailField({ optional: true, max: Infinity })
  createdByEmail?: string;
}

/** An invite as events show it. */
export class InvitePayload extends PickOf(Invite, ['id', 'email', 'role', 'status', 'alias', 'walletPublicKey']) {}

export class InvitesResponse {
  @IntegerField({ optional: true, description: 'How many are listed.' })
  count?: number;

  @ListField(() => Invite, { optional: true })
  invites?: Invite[];
}

export class InviteSendRequest {
  @StringField({
    optional: true,
    max: 255,
    pattern: /^[A-Za-z0-9]+$/,
    description: 'Kept and shown with the invite; who accepts is decided by the email address alone.',
  })
  walletPublicKey?: string;

  @StringField({ optional: true, max: 255, description: 'How the inviting side calls the person.' })
  alias?: string;

  @EmailField({ optional: true, allowEmpty: true, description: 'Where the invite is sent. Required in effect.' })
  email?: string;

  @StringField({
    optional: true,
    max: 255,
    pattern: /^(\+[1-9]\d{1,14})?$/,
    description: 'Checked and not kept: invites are sent by email alone.',
  })
  phoneNumber?: string;

  @EnumField(ROLES, { description: 'At most the role of the inviter.' })
  role!: Role;
}

export class InviteUpdateRequest {
  @EnumField(INVITE_STATUSES, { description: '`accepted` or `rejected`.' })
  status!: InviteStatus;
}

export class GetInvitesQuery {
  @EnumField(INVITE_STATUSES)
  status!: InviteStatus;
}
