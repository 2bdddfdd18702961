import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { unauthorized } from '../common/errors/index.js';
import { SecurityEvent } from '../common/security/index.js';
import type { DashboardPrincipal, EndUserPrincipal, ServiceAudience } from './principal.js';
import { answersTokens } from './token-use.js';

const SERVICES = Symbol('services');

/**
 * The operation also accepts short-lived tokens with one of these audiences. All other operations refuse them, and so do
 * operations that return session tokens: a restricted token must never yield an unrestricted one.
 */
export const ServiceTokens = (...services: readonly ServiceAudience[]): MethodDecorator =>
  applyDecorators(SetMetadata(SERVICES, services), ApiExtension('x-service-tokens', services));

const servicesOf = (handler: object): readonly ServiceAudience[] =>
  (Reflect.getMetadata(SERVICES, handler) ?? []) as ServiceAudience[];

/** RFC 9068 §4: refuses a token with another audience. */
export function assertAudience(
  { audience }: Pick<DashboardPrincipal | EndUserPrincipal, 'kind'> & { audience?: ServiceAudience },
  handler: object,
): void {
  if (audience === undefined) return;
  if (servicesOf(handler).includes(audience) && !answersTokens(handler)) return;
  throw unauthorized({ security: SecurityEvent.TokenRefused });
}
