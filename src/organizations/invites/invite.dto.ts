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

  @EmailField({ optional: true, max: Infinity, description: 'The address that the invite is bound to.' })
  email?: string;

  @StringField({ optional: true })
  alias?: string;

  @StringField({ optional: true })
  walletPublicKey?: string;

  @EnumField(ROLES, { optional: true, description: 'The role that the new member gets.' })
  role?: Role;

  @EmailField({ optional: true, max: Infinity })
  createdByEmail?: string;
}

/** An invite as events show it. */
export class InvitePayload extends PickOf(Invite, ['id', 'email', 'role', 'status', 'alias', 'walletPublicKey']) {}

export class InvitesResponse {
  @IntegerField({ optional: true, description: 'Number of listed invites.' })
  count?: number;

  @ListField(() => Invite, { optional: true })
  invites?: Invite[];
}

export class InviteSendRequest {
  @StringField({
    optional: true,
    max: 255,
    pattern: /^[A-Za-z0-9]+$/,
    description: 'Stored and shown with the invite; only the email address decides who can accept it.',
  })
  walletPublicKey?: string;

  @StringField({ optional: true, max: 255, description: "The inviter's name for the person." })
  alias?: string;

  @EmailField({ optional: true, allowEmpty: true, description: 'Where the invite is sent. Effectively required.' })
  email?: string;

  @StringField({
    optional: true,
    max: 255,
    pattern: /^(\+[1-9]\d{1,14})?$/,
    description: 'Validated but not stored: invites are sent only by email.',
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
