import { describe, expect, it } from '@jest/globals';
import { worked } from '../../../test/support/worked.js';
import { nearestPaths } from './nearest-paths.js';

const known = [
  ['/api/v0/environments/:environmentId/users', 'GET', 'HEAD', 'POST'],
  ['/api/v0/environments/:environmentId/users/:userId', 'GET', 'HEAD', 'DELETE'],
  ['/api/v0/environments/:environmentId/webhooks', 'GET', 'HEAD'],
  ['/api/v0/sdk/:environmentId/emailVerifications/create', 'POST'],
  ['/api/v0/sdk/:environmentId/session', 'GET', 'HEAD'],
  ['/api/v0/projects', 'GET', 'HEAD'],
].map(([path, ...methods]) => ({ path: path!, methods: new Set(methods) }));

describe('the nearest paths', () => {
  it.each([
    ['/api/v0/environments/1/user', 'GET|POST /api/v0/environments/{environmentId}/users'],
    ['/api/v0/environment/1/users', 'GET|POST /api/v0/environments/{environmentId}/users'],
    ['/api/v0/environments/users', 'GET|POST /api/v0/environments/{environmentId}/users'],
    ['/api/v0/environments/1/uesrs/2', 'DELETE|GET /api/v0/environments/{environmentId}/users/{userId}'],
    ['/api/v0/sdk/1/emailVerification/create', 'POST /api/v0/sdk/{environmentId}/emailVerifications/create'],
    ['/API/v0/SDK/1/Sessions', 'GET /api/v0/sdk/{environmentId}/session'],
    ['/api/v0/project', 'GET /api/v0/projects'],
    ['/api/v0', 'GET /api/v0/projects'],
  ])('of %s begin with %s', (asked, first) => {
    expect(nearestPaths(asked, known)[0]).toBe(first);
  });

  it('are three, and none where nothing is known', () => {
    expect(nearestPaths('/api/v0/nothing/like/it', known)).toHaveLength(3);
    expect(nearestPaths('/api/v0', [])).toEqual([]);
  });

  it('of a long path are found as fast as those of a short one', () => {
    const many = Array.from({ length: 333 }, (_, at) => ({
      path: `/api/v0/context${at}/:id/part/:part/word`,
      methods: new Set(['GET']),
    }));
    const before = worked();
    nearestPaths('/a'.repeat(8_000), many);
    // A tenth of this is usual; quadratic work would take seconds.
    expect(worked() - before).toBeLessThan(200);
  });
});
