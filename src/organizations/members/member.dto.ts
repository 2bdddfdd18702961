import { ROLES, type Role } from '../../auth/index.js';
import {
  ComponentField,
  EmailField,
  EnumField,
  IntegerField,
  ListField,
  RefField,
  StringField,
  UuidField,
  defineEnum,
  type EnumValue,
} from '../../common/fields/index.js';

const DEPARTING_TOKENS = defineEnum('DepartingTokens', ['revoke', 'keep']);

export class DeleteMemberQuery {
  @EnumField(DEPARTING_TOKENS, {
    optional: true,
    description:
      'What becomes of API tokens that the member made: they stop working within a second, unless they are kept on purpose. The list of tokens of an environment says who made each.',
  })
  tokens?: EnumValue<typeof DEPARTING_TOKENS>;
}

/** What members of an organization see of each other. */
export class MemberUser {
  @UuidField()
  id!: string;

  @UuidField({ description: 'The console environment.' })
  projectEnvironmentId!: string;

  @StringField({ optional: true })
  alias?: string;

  @StringField({ optional: true })
  firstName?: string;

  @StringField({ optional: true })
  lastName?: string;

  @EmailField({ optional: true })
  email?: string;
}

export class OrganizationMember {
  @UuidField()
  id!: string;

  @ComponentField('User', () => MemberUser, { description: 'Who it is: ids, names and email, nothing else.' })
  user!: MemberUser;

  @EnumField(ROLES)
  role!: Role;
}

export class OrganizationMembersResponse {
  @IntegerField()
  count!: number;

  @ListField(() => OrganizationMember)
  members!: OrganizationMember[];
}

export class MemberResponse {
  @RefField(() => OrganizationMember, { optional: true })
  member?: OrganizationMember;
}

export class MemberRoleField {
  @EnumField(ROLES, { optional: true, description: 'Without a role nothing changes.' })
  role?: Role;
}

export class DelegateOwnershipRequest {
  @StringField({ description: 'The id of a member of the same organization who is an admin.' })
  adminMemberIdToDelegate!: string;
}

/** A member as events show it. */
export class MemberPayload {
  @UuidField()
  id!: string;

  @UuidField({ description: 'The user of the console environment.' })
  userId!: string;

  @EnumField(ROLES)
  role!: Role;
}
