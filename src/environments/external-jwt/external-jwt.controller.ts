import { Body, Post } from '@nestjs/common';
import { Dashboard, Environment, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { ExternalJwtCheckRequest, ExternalJwtCheckResponse } from './external-jwt.dto.js';
import { ExternalJwtCheck } from './external-jwt-check.service.js';

@ApiController('environments/:environmentId/externalJwt', 'ExternalJwt')
export class ExternalJwtController {
  constructor(private readonly checks: ExternalJwtCheck) {}

  @Post('check')
  @Operation({
    id: 'checkExternalJwt',
    summary: "Test an external token against the environment's external-auth settings and list what is wrong",
    description:
      'Runs the same checks as a sign-in: the key comes only from `security.externalAuth.jwksUrl`, and issuer, audience, subject, expiry and time of issue are required. Nothing is written, and nobody is signed in.',
    errors: [422],
    limits: [
      'tokens of at most 16,384 characters, issued within the last 5 minutes; clock skew up to 60 s',
      'RS, PS and ES with SHA-256, -384 and -512, EdDSA and Ed25519; RSA keys of at least 2,048 bits',
      'the key set must be fetched within 5 s, is at most 256 KB, and is cached for 10 minutes; an unknown key triggers another fetch after 30 s',
    ],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @Returns(ExternalJwtCheckResponse)
  checkExternalJwt(@Environment() environmentId: EnvironmentId, @Body() { encodedJwt }: ExternalJwtCheckRequest) {
    return this.checks.check(environmentId, encodedJwt);
  }
}
