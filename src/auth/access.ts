import { SetMetadata, applyDecorators, type Type } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension } from '@nestjs/swagger';
import type { PartialScope } from './assurance.js';
import type { OwnerResolver } from './tenant-directory.js';
import type { Role } from './roles.js';
import type { TokenScope } from './token-scopes.js';

interface DashboardOptions {
  /** What an environment API token needs: a scope, or none in particular; null keeps tokens out. */
  scope: TokenScope | 'any' | null;
  /**
   * The least role of a member. Viewers read what is no secret. Developers change how an environment works, its users
   * and its tokens. Admins manage projects, members below owner, invites, single sign-on and the record of the
   * organization. Owners may do everything; billing, handing over ownership and the second factors of the organization
   * are theirs alone.
   */
  role: Role;
  /**
   * How API tokens are refused where `scope` is null: 403 unless it says 401, which is for what exists for members
   * alone, such as the list of the caller's organizations.
   */
  tokenRefusal?: 401 | 403;
}

/** Who may call a route. A route without a declaration answers nobody. */
export type Access =
  | { audience: 'page' }
  | { audience: 'public' }
  | { audience: 'end-user'; assurance: readonly PartialScope[]; endsReused: boolean }
  | ({ audience: 'dashboard' } & DashboardOptions);

const ACCESS = Symbol('access');
const OWNER = Symbol('owner');

/** A page for people or machines outside the API: documents, health, development. No tenant, no credential. */
export const Page = (): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, { audience: 'page' } satisfies Access);

/** Anyone may call it; an environment in the path must exist. */
export const Public = (): MethodDecorator =>
  applyDecorators(SetMetadata(ACCESS, { audience: 'public' } satisfies Access), ApiExtension('x-audience', 'public'));

interface EndUserOptions {
  /** Outstanding steps with which the operation may be called all the same, such as those that settle the step. */
  assurance?: readonly PartialScope[];
  /** The operation itself decides about tokens that were replaced: it ends their session. */
  endsReused?: boolean;
}

/** An end user with a token or cookie of a live and complete session of the environment in the path. */
export const EndUser = ({ assurance = [], endsReused = false }: EndUserOptions = {}): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { audience: 'end-user', assurance, endsReused } satisfies Access),
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
  /** The path parameter that names the record. */
  param: string;
}

/** Names who knows the environment or organization of a record whose path does not say. */
export const ScopedBy = (resolver: Type<OwnerResolver>, param: string): MethodDecorator =>
  SetMetadata(OWNER, { resolver, param } satisfies Ownership);

export const accessOf = (handler: object, controller?: object): Access | undefined =>
  (Reflect.getMetadata(ACCESS, handler) ?? (controller && Reflect.getMetadata(ACCESS, controller))) as
    Access | undefined;

export const ownershipOf = (handler: object): Ownership | undefined =>
  Reflect.getMetadata(OWNER, handler) as Ownership | undefined;
