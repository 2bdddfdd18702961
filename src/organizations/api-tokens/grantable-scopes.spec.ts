import { describe, expect, it } from '@jest/globals';
import { TOKEN_SCOPES, type DashboardPrincipal, type TokenScope } from '../../auth/index.js';
import { ApiError } from '../../common/errors/index.js';
import { grantableScopes } from './grantable-scopes.js';

const member: DashboardPrincipal = {
  kind: 'dashboardUser',
  userId: 'u',
  consoleEnvironmentId: 'c',
  tokenId: null,
  role: 'admin',
};
const token = (...scopes: TokenScope[]): DashboardPrincipal => ({
  kind: 'environmentToken',
  tokenId: 't',
  environmentId: 'e',
  scopes,
  createdBy: 'u',
  role: 'owner',
});

function refusal(wanted: TokenScope[], creator: DashboardPrincipal): ApiError {
  try {
    grantableScopes(wanted, creator);
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('The scopes were granted.');
}

describe('scopes of a new token', () => {
  it('are none when none are asked for', () => {
    expect(grantableScopes(undefined, member)).toEqual([]);
    expect(grantableScopes([], token('environment.apiTokens.write'))).toEqual([]);
  });

  it('may be any of the fourteen when a member creates it', () => {
    expect(grantableScopes([...TOKEN_SCOPES.values], member)).toEqual(TOKEN_SCOPES.values);
    expect(TOKEN_SCOPES.values).toHaveLength(14);
  });

  it('are kept once each', () => {
    const twice: TokenScope[] = ['environment.users.read', 'waas.authenticate', 'environment.users.read'];
    expect(grantableScopes(twice, member)).toEqual(['waas.authenticate', 'environment.users.read']);
  });

  it('are those of the creating token at most', () => {
    const creator = token('environment.apiTokens.write', 'environment.users.read');
    expect(grantableScopes(['environment.users.read'], creator)).toEqual(['environment.users.read']);
  });

  it.each(TOKEN_SCOPES.values)('do not include %s when the creating token lacks it', (scope) => {
    const creator = token(...TOKEN_SCOPES.values.filter((other) => other !== scope));
    const error = refusal([...TOKEN_SCOPES.values], creator);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 422,
      code: 'invalid_scopes',
      details: { payload: { additionalMessages: [scope] } },
    });
  });
});
