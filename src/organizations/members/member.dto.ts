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
      'What happens to API tokens that the member created: they stop working within a second unless they are explicitly kept. The token list of an environment shows who created each token.',
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

  @ComponentField('User', () => MemberUser, { description: 'The person: only ids, names and email.' })
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
  @EnumField(ROLES, { optional: true, description: 'If absent, nothing changes.' })
  role?: Role;
}

export class DelegateOwnershipRequest {
  @StringField({ description: 'Id of an admin of the same organization.' })
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
