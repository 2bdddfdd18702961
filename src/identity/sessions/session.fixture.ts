import type { Session } from './session.entity.js';

/** A session for tests of code that works on one. */
export const sessionFixture = (changes: Partial<Session> = {}): Session => ({
  environmentId: '018f0000-0000-7000-8000-00000000000e',
  id: '018f0000-0000-7000-8000-000000000051',
  userId: '018f0000-0000-7000-8000-000000000001',
  credentialId: '018f0000-0000-7000-8000-0000000000c1',
  method: 'email',
  amr: ['otp'],
  authenticatedAt: null,
  audience: 'https://app.example.com',
  ipAddress: '192.0.2.1',
  userAgent: 'test',
  sessionPublicKey: null,
  tokenId: '018f0000-0000-7000-8000-0000000000a1',
  previousTokenId: null,
  tokenUserAgent: null,
  replacedTokens: {},
  cutTokens: [],
  tokenIssuedAt: new Date('2026-01-01T00:00:00.900Z'),
  tokenExpiresAt: new Date('2026-01-01T00:15:00.900Z'),
  raisedAt: null,
  createdAt: new Date('2025-12-31T23:00:00.000Z'),
  expiresAt: new Date('2026-01-30T23:00:00.000Z'),
  revokedAt: null,
  ...changes,
});
