import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { unauthorized } from '../common/errors/index.js';
import { SecurityEvent } from '../common/security/index.js';
import type { DashboardPrincipal, EndUserPrincipal, ServiceAudience } from './principal.js';
import { answersTokens } from './token-use.js';

const SERVICES = Symbol('services');

/**
 * The operation also takes short tokens that were made for one of these services alone. Every other operation refuses such
 * a token, and so does one that answers with tokens of a session: a token that is good for little never gives one that is
 * good for all.
 */
export const ServiceTokens = (...services: readonly ServiceAudience[]): MethodDecorator =>
  applyDecorators(SetMetadata(SERVICES, services), ApiExtension('x-service-tokens', services));

const servicesOf = (handler: object): readonly ServiceAudience[] =>
  (Reflect.getMetadata(SERVICES, handler) ?? []) as ServiceAudience[];

/** RFC 9068 §4: a token is refused where it was not meant for. */
export function assertAudience(
  { audience }: Pick<DashboardPrincipal | EndUserPrincipal, 'kind'> & { audience?: ServiceAudience },
  handler: object,
): void {
  if (audience === undefined) return;
  if (servicesOf(handler).includes(audience) && !answersTokens(handler)) return;
  throw unauthorized({ security: SecurityEvent.TokenRefused });
}
