import { describe, expect, it } from '@jest/globals';
import { readForeignUser } from './foreign-user.js';

const ADA = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };

describe('a user of another identity server', () => {
  it.each([
    [
      'Auth0',
      {
        user_id: 'google-oauth2|117',
        email: 'ada@example.com',
        email_verified: true,
        given_name: 'Ada',
        family_name: 'Lovelace',
        user_metadata: { colour: 'blue' },
        app_metadata: { plan: 'gold' },
        identities: [{ provider: 'google-oauth2', user_id: '117', isSocial: true }],
      },
      {
        ...ADA,
        metadata: { colour: 'blue' },
        privateMetadata: { plan: 'gold', importedId: 'google-oauth2|117' },
        oauthAccounts: [{ provider: 'google', accountId: '117' }],
      },
    ],
    [
      'Keycloak',
      {
        id: 'k-1',
        username: 'ada',
        ...ADA,
        emailVerified: true,
        enabled: true,
        attributes: { plan: ['gold'] },
        federatedIdentities: [{ identityProvider: 'github', userId: '42', userName: 'ada' }],
        credentials: [{ type: 'password', secretData: '{"value":"x"}' }],
      },
      {
        ...ADA,
        username: 'ada',
        privateMetadata: { plan: ['gold'], importedId: 'k-1' },
        oauthAccounts: [{ provider: 'github', accountId: '42', username: 'ada' }],
      },
    ],
    [
      'Cognito',
      {
        Username: 'ada',
        Enabled: true,
        UserStatus: 'CONFIRMED',
        Attributes: [
          { Name: 'sub', Value: 's-1' },
          { Name: 'email', Value: 'ada@example.com' },
          { Name: 'email_verified', Value: 'true' },
          { Name: 'given_name', Value: 'Ada' },
          { Name: 'family_name', Value: 'Lovelace' },
          { Name: 'custom:plan', Value: 'gold' },
          { Name: 'identities', Value: '[{"userId":"117","providerName":"Google"}]' },
        ],
      },
      {
        ...ADA,
        username: 'ada',
        privateMetadata: { 'custom:plan': 'gold', importedId: 's-1' },
        oauthAccounts: [{ provider: 'google', accountId: '117' }],
      },
    ],
    [
      'Firebase',
      {
        localId: 'f-1',
        email: 'ada@example.com',
        emailVerified: true,
        displayName: 'Ada',
        passwordHash: 'x',
        salt: 'y',
        customAttributes: '{"plan":"gold"}',
        providerUserInfo: [
          { providerId: 'password', rawId: 'ada@example.com' },
          { providerId: 'google.com', rawId: '117', displayName: 'Ada', email: 'ada@example.com' },
        ],
      },
      {
        email: 'ada@example.com',
        alias: 'Ada',
        privateMetadata: { plan: 'gold', importedId: 'f-1' },
        oauthAccounts: [{ provider: 'google', accountId: '117', displayName: 'Ada', emails: ['ada@example.com'] }],
      },
    ],
    [
      'plain',
      { id: '7', email: 'ada@example.com', emailVerified: 'true', firstName: 'Ada', lastName: '', metadata: '{"a":1}' },
      { email: 'ada@example.com', firstName: 'Ada', metadata: { a: 1 }, privateMetadata: { importedId: '7' } },
    ],
  ])('is read as %s writes it, without its password', (form, user, fields) => {
    expect(readForeignUser(user)).toEqual({
      form,
      sourceId: expect.any(String),
      isBlocked: false,
      isEmailVerified: true,
      fields,
      leftAccounts: [],
    });
  });

  it.each([
    ['JSON', { plan: 'gold', importedId: 'older' }],
    ['text, as files of comma-separated values have it', '{"plan":"gold","importedId":"older"}'],
  ])('keeps private metadata of its own, beside its old id, in %s', (_, privateMetadata) => {
    expect(readForeignUser({ id: '7', privateMetadata })?.fields).toEqual({
      privateMetadata: { plan: 'gold', importedId: '7' },
    });
    expect(readForeignUser({ email: 'ada@example.com', privateMetadata })?.fields).toEqual({
      email: 'ada@example.com',
      privateMetadata: { plan: 'gold', importedId: 'older' },
    });
  });

  it('whose private metadata is no object comes with what there is, to be refused', () => {
    expect(readForeignUser({ id: '7', privateMetadata: 'gold' })?.fields).toEqual({ privateMetadata: 'gold' });
  });

  it.each<[string, object, string | undefined]>([
    ['Auth0', { user_id: 'auth0|1', username: 'ada' }, 'ada'],
    ['Auth0', { user_id: 'auth0|1', username: 'ada@example.com' }, undefined],
    ['Okta', { id: 'o-1', profile: { login: 'ada_l' } }, 'ada_l'],
    ['Okta', { id: 'o-1', profile: { login: 'ada@example.com' } }, undefined],
    ['Keycloak', { username: 'ada@example.com', emailVerified: true }, undefined],
    ['Keycloak', { username: 'ada.lovelace', emailVerified: true }, undefined],
    ['Cognito', { Username: 's-1', Attributes: [{ Name: 'sub', Value: 's-1' }] }, undefined],
    ['Cognito', { Username: 'google_117', UserStatus: 'EXTERNAL_PROVIDER', Attributes: [] }, undefined],
    ['Cognito', { Username: 's-1', Attributes: [{ Name: 'preferred_username', Value: 'ada' }] }, 'ada'],
  ])('of %s keeps the name it has where it is one here: %j', (form, user, username) => {
    expect(readForeignUser(user)).toMatchObject({ form });
    expect(readForeignUser(user)?.fields['username']).toBe(username);
  });

  it('of Okta has an address that nobody says was verified', () => {
    const profile = { login: 'ada@example.com', ...ADA, mobilePhone: null };
    expect(readForeignUser({ id: 'o-1', status: 'ACTIVE', profile })).toMatchObject({
      form: 'Okta',
      isEmailVerified: false,
      fields: { ...ADA, privateMetadata: { importedId: 'o-1' } },
    });
  });

  it.each([
    ['Auth0', { user_id: 'a', blocked: true }],
    ['Okta', { id: 'o', status: 'SUSPENDED', profile: { login: 'a' } }],
    ['Keycloak', { username: 'a', emailVerified: true, enabled: false }],
    ['Cognito', { Username: 'a', Attributes: [], Enabled: false }],
    ['Firebase', { localId: 'a', disabled: true }],
    ['plain', { email: 'a@b.co', blocked: 'true' }],
  ])('who may not sign in at %s is known as one who may not', (form, user) => {
    expect(readForeignUser(user)).toMatchObject({ form, isBlocked: true });
    const {
      blocked: _,
      disabled: _disabled,
      status: _status,
      enabled: _enabled,
      Enabled: _Enabled,
      ...free
    } = user as Record<string, unknown>;
    expect(readForeignUser(free)?.isBlocked).toBe(false);
  });

  it.each(['true', 'TRUE', 'True', 't', '1', 1, 'yes', ' Y ', 'blocked since May'])(
    'who is blocked there by %j does not come in for how it was written',
    (blocked) => {
      expect(readForeignUser({ email: 'a@b.co', blocked })?.isBlocked).toBe(true);
      expect(readForeignUser({ user_id: 'a', blocked })?.isBlocked).toBe(true);
      expect(readForeignUser({ localId: 'a', disabled: blocked })?.isBlocked).toBe(true);
    },
  );

  it.each(['false', 'FALSE', 'f', '0', 0, 'no', 'N', '', ' ', null])(
    'who is not blocked, by %j, comes in',
    (blocked) => {
      expect(readForeignUser({ email: 'a@b.co', blocked })?.isBlocked).toBe(false);
    },
  );

  it.each([
    ['false', true],
    ['FALSE', true],
    [0, true],
    ['TRUE', false],
    [null, false],
  ])('whose account is switched on by %j there may not come in: %j', (enabled, isBlocked) => {
    expect(readForeignUser({ username: 'a', createdTimestamp: 1, enabled })?.isBlocked).toBe(isBlocked);
    expect(readForeignUser({ Username: 'a', Attributes: [], Enabled: enabled })?.isBlocked).toBe(isBlocked);
  });

  it.each([
    ['TRUE', true],
    ['t', true],
    ['FALSE', false],
    ['perhaps', false],
  ])('has an address that was verified there by %j: %j', (emailVerified, isEmailVerified) => {
    expect(readForeignUser({ email: 'a@b.co', emailVerified })?.isEmailVerified).toBe(isEmailVerified);
  });

  it('leaves accounts of providers that are unknown here, and says so', () => {
    const identities = [
      { provider: 'vkontakte', user_id: '1' },
      { provider: 'auth0', user_id: '2' },
    ];
    const read = readForeignUser({ user_id: 'auth0|2', identities });
    expect(read).toMatchObject({ leftAccounts: ['vkontakte'] });
    expect(read?.fields['oauthAccounts']).toBeUndefined();
  });

  it.each([[null], ['ada'], [[]], [7]])('is none when it is %j', (value) => {
    expect(readForeignUser(value)).toBeNull();
  });
});
