import { SetMetadata, applyDecorators, type Type } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension } from '@nestjs/swagger';
import type { PartialScope } from './assurance.js';
import type { OwnerResolver } from './tenant-directory.js';
import type { Role } from './roles.js';
import type { TokenScope } from './token-scopes.js';

interface DashboardOptions {
  /** The scope that an environment API token needs; `any` accepts every token, null none. */
  scope: TokenScope | 'any' | null;
  /**
   * The minimum role of a member. Viewers read what is not secret. Developers change the settings, users and tokens of an
   * environment. Admins manage projects, members below owner, invites, single sign-on and the organization's audit
   * records. Only owners manage billing, transfer ownership and set the organization's second factors.
   */
  role: Role;
  /**
   * The status with which API tokens are refused if `scope` is null: 403 by default; 401 for what only makes sense for
   * members, such as the list of the caller's organizations.
   */
  tokenRefusal?: 401 | 403;
}

/** Who may call a route. A route without a declaration refuses every call. */
export type Access =
  | { audience: 'page' }
  | { audience: 'public' }
  | { audience: 'end-user'; assurance: readonly PartialScope[]; endsReused: boolean; admitsCut: boolean }
  | ({ audience: 'dashboard' } & DashboardOptions);

const ACCESS = Symbol('access');
const OWNER = Symbol('owner');

/** A route outside the API: documentation, health, development pages. No tenant, no credential. */
export const Page = (): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, { audience: 'page' } satisfies Access);

/** Anyone may call it; if the path names an environment, it must exist. */
export const Public = (): MethodDecorator =>
  applyDecorators(SetMetadata(ACCESS, { audience: 'public' } satisfies Access), ApiExtension('x-audience', 'public'));

interface EndUserOptions {
  /** Outstanding steps that do not block the operation, for example because it completes them. */
  assurance?: readonly PartialScope[];
  /** The operation handles replaced tokens itself: it ends their session. */
  endsReused?: boolean;
  /** The operation gives up what the token stands for, which the holder of a cut one may do as well. */
  admitsCut?: boolean;
}

/** An end user with the token or cookie of an active and complete session in the environment of the path. */
export const EndUser = ({
  assurance = [],
  endsReused = false,
  admitsCut = false,
}: EndUserOptions = {}): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { audience: 'end-user', assurance, endsReused, admitsCut } satisfies Access),
    ApiBearerAuth('bearerAuth'),
    ApiCookieAuth('sessionCookie'),
    ApiExtension('x-audience', 'end-user'),
    ...(assurance.length > 0 ? [ApiExtension('x-partial-sessions', assurance)] : []),
  );

/** A member of the organization, or (with a scope) an API token of the environment. */
export const Dashboard = (options: DashboardOptions): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { audience: 'dashboard', ...options } satisfies Access),
    ApiBearerAuth('bearerAuth'),
    ApiExtension('x-audience', 'dashboard'),
    ApiExtension('x-least-role', options.role),
    ...(options.scope === 'any' ? [ApiExtension('x-any-token', true)] : []),
    ...(options.scope && options.scope !== 'any' ? [ApiExtension('x-token-scope', options.scope)] : []),
  );

export interface Ownership {
  resolver: Type<OwnerResolver>;
  /** The path parameter with the record's id. */
  param: string;
}

/** Sets the resolver for the environment or organization of a record, for paths that do not name it. */
export const ScopedBy = (resolver: Type<OwnerResolver>, param: string): MethodDecorator =>
  SetMetadata(OWNER, { resolver, param } satisfies Ownership);

export const accessOf = (handler: object, controller?: object): Access | undefined =>
  (Reflect.getMetadata(ACCESS, handler) ?? (controller && Reflect.getMetadata(ACCESS, controller))) as
    Access | undefined;

export const ownershipOf = (handler: object): Ownership | undefined =>
  Reflect.getMetadata(OWNER, handler) as Ownership | undefined;
