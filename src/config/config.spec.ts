import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { Config } from './config.js';
import { ConfigError } from './setting.js';

const load = (environment: Record<string, string>): Config => Config.load(environment);
const KEY = { MASTER_KEY: 'a:b' };
const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://db/gatehouse',
  PUBLIC_URL: 'https://auth.example.com',
  ...KEY,
};

describe('the settings', () => {
  it('give the role that reads sealed keys to a signer that runs alone, and to no instance', () => {
    const role = { SIGNER_DATABASE_URL: 'postgres://signer:of-a-test@db/gatehouse' };
    expect(load({ ...role, ROLE: 'signer' }).get('SIGNER_DATABASE_URL')).toBe(role.SIGNER_DATABASE_URL);
    for (const ROLE of ['all', 'api', 'worker']) {
      expect(() => load({ ...role, ROLE })).toThrow(/^SIGNER_DATABASE_URL is for ROLE=signer only(?!.*of-a-test)/);
    }
  });

  it('leave sealed keys to a signer that can have another role, and to no other', () => {
    const socket = { SIGNER: 'socket', SIGNER_SECRET: 's'.repeat(32) };
    expect(load(socket).get('SIGNER_READS_KEYS')).toBe(false);
    expect(load({ ...socket, SIGNER_READS_KEYS: 'true' }).get('SIGNER_READS_KEYS')).toBe(true);
    for (const SIGNER of ['own-process', 'in-process']) {
      expect(() => load({ SIGNER, SIGNER_READS_KEYS: 'true' })).toThrow(/^SIGNER_READS_KEYS is true: .*SIGNER=socket/);
    }
  });

  it('have defaults that need nothing', () => {
    const config = load({});
    expect(config.get('PORT')).toBe(3000);
    expect(config.get('HOST')).toBe('127.0.0.1');
    expect(config.publicUrl).toBe('http://localhost:3000');
    expect(config.egressAllow).toContain('127.0.0.0/8');
    expect(config.get('ORGANIZATIONS')).toBe('open');
    expect(config.get('SMTP_TLS')).toBe('optional');
  });

  it('of production listen on every address, let nothing private be reached and hide the documents', () => {
    const config = load(PRODUCTION);
    expect(config.get('HOST')).toBe('0.0.0.0');
    expect(config.egressAllow).toBe('');
    expect(config.get('API_DOCS')).toBe(false);
    expect(config.get('SEED')).toBe(false);
  });

  it('of production let nobody open an organization, and mail with codes go nowhere without TLS', () => {
    const config = load(PRODUCTION);
    expect(config.get('ORGANIZATIONS')).toBe('closed');
    expect(config.get('SMTP_TLS')).toBe('required');
    const chosen = load({ ...PRODUCTION, ORGANIZATIONS: 'open', SMTP_TLS: 'optional' });
    expect([chosen.get('ORGANIZATIONS'), chosen.get('SMTP_TLS')]).toEqual(['open', 'optional']);
  });

  it.each([
    ['PUBLIC_URL', 'https:auth.example.com', /^PUBLIC_URL must be a URL that starts with http:\/\/ or https:\/\//],
    ['PORT', '70000', /^PORT must be a whole number from 0 to 65535 \(seen: "70000"\)\.$/],
    ['PORT', '-1', /^PORT must/],
    ['PORT', '80x', /^PORT must/],
    ['PORT', '0x1268', /^PORT must/],
    ['PORT', '3e3', /^PORT must/],
    ['RATE_LIMIT_SCALE', '1e2', /^RATE_LIMIT_SCALE must be a number/],
    ['DATABASE_POOL', '1', /^DATABASE_POOL must/],
    ['DNS_SERVERS', '192.0.2.53, ns.example.com', /^DNS_SERVERS must be a list of addresses such as/],
    ['CUSTOM_HOSTNAME_TARGET', 'https://id.example.com', /^CUSTOM_HOSTNAME_TARGET must be a host name such as/],
    ['CUSTOM_HOSTNAME_TARGET', 'id.example.com:443', /^CUSTOM_HOSTNAME_TARGET must/],
    ['CUSTOM_HOSTNAME_TARGET', '192.0.2.1', /^CUSTOM_HOSTNAME_TARGET must/],
    ['DNS_SERVERS', '192.0.2.53:0', /^DNS_SERVERS must/],
    ['DNS_SERVERS', '192.0.2.53:65536', /^DNS_SERVERS must/],
    ['DNS_SERVERS', '2001:db8::53]:53', /^DNS_SERVERS must/],
    ['PROVIDER_ADDRESSES', '[]', /^PROVIDER_ADDRESSES must be a JSON object/],
    ['PROVIDER_ADDRESSES', '{"google":{"isuer":"https://a"}}', /^PROVIDER_ADDRESSES must give for "google"/],
    ['PROVIDER_ADDRESSES', '{"google":{"issuer":"file:///a"}}', /^PROVIDER_ADDRESSES must give for "google"/],
    ['PROVIDER_ADDRESSES', '{"gogle":{"issuer":"https://a"}}', /^PROVIDER_ADDRESSES must not name "gogle".* google, /],
    ['PROVIDER_ADDRESSES', '{"toString":{}}', /^PROVIDER_ADDRESSES must not name "toString"/],
    ['DATABASE_URL', 'postgres://db/x?sslmode=requird', /^DATABASE_URL must have one of these as sslmode: .*require/],
    ['DATABASE_URL', 'postgres://db/x?sslmode=', /^DATABASE_URL must have one of these as sslmode/],
    ['DATABASE_URL', 'postgres://db/x?sslmode=require&sslmode=Disable', /^DATABASE_URL must have one of these/],
    ['SIGNER_DATABASE_URL', 'postgres://db/x?sslmode=allow', /^SIGNER_DATABASE_URL must have one of these as sslmode/],
    ['API_DOCS', 'yes', /^API_DOCS must be true or false/],
    ['ROLE', 'both', /^ROLE must be one of all, api, worker/],
    ['PUBLIC_URL', 'ftp://x', /^PUBLIC_URL must be a URL/],
    ['PUBLIC_URL', 'https://id.example.com/?next', /^PUBLIC_URL must be an address without/],
    ['PUBLIC_URL', 'https://id.example.com#', /^PUBLIC_URL must be an address without/],
    ['PUBLIC_URL', 'https://id:hunter2@id.example.com', /^PUBLIC_URL must be an address without(?!.*hunter2)/],
    ['HOST', 'a host', /^HOST must be an address of this machine such as 127\.0\.0\.1 \(seen: "a host"\)\.$/],
    ['HOST', 'a\nb', /^HOST must be an address of this machine .*"a\\nb"/],
    ['METRICS_HOST', '[::1]', /^METRICS_HOST must be an address of this machine/],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://traces.example.com/?key=1', /^OTEL_EXPORTER_OTLP_ENDPOINT must be an add/],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://id:hunter2@example.com', /^OTEL_\w+ must be an address(?!.*hunter2)/],
    ['SANCTIONS_API_KEY', 'hunter2\nhunter2', /^SANCTIONS_API_KEY must be one word of printable(?!.*hunter2)/],
    ['BLOCKAID_API_KEY', 'schlüssel', /^BLOCKAID_API_KEY must be one word of printable/],
    [
      'TRUST_PROXY',
      '10.0.0.1, balancer',
      /^TRUST_PROXY must be a comma-separated list of IP addresses .*"balancer"\)\.$/,
    ],
    ['TRUST_PROXY', '10.0.0.0/33', /^TRUST_PROXY must/],
    ['TRUST_PROXY', '0.0.0.0/0', /^TRUST_PROXY must/],
    ['TRUST_PROXY', '10.0.0.0/255.0.255.0', /^TRUST_PROXY must/],
    ['MAIL_FROM', 'Gatehouse', /^MAIL_FROM must be an email address/],
    ['MAIL_FROM', 'Gatehouse <nobody>', /^MAIL_FROM must/],
    ['RATE_LIMIT_SCALE', '0', /^RATE_LIMIT_SCALE must be a number/],
  ])('refuse %s=%s in one line', (name, value, message) => {
    const attempt = (): Config => load({ [name]: value });
    expect(attempt).toThrow(ConfigError);
    expect(attempt).toThrow(message);
  });

  it('take proxies as Express does, and a sender with or without a name', () => {
    const proxies = ['10.0.0.1', '10.0.0.0/8', '10.0.0.0/255.0.0.0', '::1', 'fd00::/8', 'loopback'];
    expect(load({ TRUST_PROXY: proxies.join(', ') }).get('TRUST_PROXY')).toEqual(proxies);
    expect(() => express().set('trust proxy', proxies)).not.toThrow();
    for (const MAIL_FROM of ['a@example.com', 'Example, Inc. <a@example.com>', '"Ex: ample" <a@example.com>']) {
      expect(load({ MAIL_FROM }).get('MAIL_FROM')).toBe(MAIL_FROM);
    }
  });

  it.each([
    'http://store.example/bucket',
    'https://id:hunter2@store.example/',
    'https://id:hunter2@store.example/Bucket',
    'https://id:hunter2@store.example/bucket/a b',
    'https://id:hunter2@store.example/bucket?regoin=eu',
    'https://id:%hunter2@store.example/bucket',
    'ftp://id:hunter2@store.example/bucket',
  ])('of the store of exports are refused without their secret: %s', (value) => {
    expect(() => load({ EXPORT_STORE: value })).toThrow(/^EXPORT_STORE must look like(?!.*hunter2)/);
  });

  it('of the store of exports are read from one address', () => {
    expect(load({}).get('EXPORT_STORE')).toBeNull();
    const text = 'https://id:a%2Fb%2Bc@store.example:9000/bucket/one/two?region=eu-west-1';
    expect(load({ EXPORT_STORE: text }).get('EXPORT_STORE')).toEqual({
      ...{ origin: 'https://store.example:9000', bucket: 'bucket', prefix: 'one/two/', region: 'eu-west-1' },
      ...{ keyId: 'id', secret: 'a/b+c' },
    });
  });

  it('of Stripe come together', () => {
    expect(() => load({ STRIPE_SECRET_KEY: 'sk_test_hunter2' })).toThrow(
      /^STRIPE_WEBHOOK_SECRET is missing(?!.*hunter2)/,
    );
    expect(() => load({ STRIPE_WEBHOOK_SECRET: 'whsec_hunter2' })).toThrow(
      /^STRIPE_SECRET_KEY is missing(?!.*hunter2)/,
    );
    const both = load({ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' });
    expect(both.get('STRIPE_API_URL')).toBe('https://api.stripe.com');
  });

  it.each([
    ['https://stripe.example.com', true],
    ['https://stripe.example.com:8443', true],
    ['http://127.0.0.1:4000', true],
    ['http://localhost:4000', true],
    ['http://[::1]:4000', true],
    ['http://stripe.example.com', false],
    ['http://127.0.0.1.example.com', false],
    ['https://stripe.example.com/v1', false],
    ['https://user:word@stripe.example.com', false],
    ['ftp://127.0.0.1', false],
    ['api.stripe.com', false],
  ])('send the key of Stripe to %s: %s', (STRIPE_API_URL, isGood) => {
    const attempt = expect(() => load({ STRIPE_API_URL }));
    if (isGood) attempt.not.toThrow();
    else attempt.toThrow(/^STRIPE_API_URL must be https/);
  });

  it.each([
    ['DATABASE_URL', 'postgres'],
    ['REDIS_URL', 'redis'],
    ['SMTP_URL', 'smtps'],
  ])('name a %s whose password cannot be read, and do not show it', (name, scheme) => {
    const wrong = () => load({ [name]: `${scheme}://of-a-test:100%@host/x` });
    expect(wrong).toThrow(new RegExp(`^${name} must have a percent-encoded user and password`));
    expect(wrong).not.toThrow(/of-a-test|100%/);
    expect(load({ [name]: `${scheme}://user:100%25@host/1` }).get(name as 'SMTP_URL')).toContain('100%25');
  });

  it('name the host of the mail server; a database may be at a socket', () => {
    for (const SMTP_URL of ['smtp://', 'smtps://', 'smtp:///', 'smtp://?pool=true']) {
      expect(() => load({ SMTP_URL })).toThrow(/^SMTP_URL must name a host\.$/);
    }
    expect(load({ DATABASE_URL: 'postgres:///gatehouse?host=/run/postgresql' }).get('DATABASE_URL')).not.toBeNull();
  });

  it.each(['abc', '1/2', '-1', '1.5'])('take no %s for a database of Redis', (path) => {
    expect(() => load({ REDIS_URL: `redis://:hidden@127.0.0.1/${path}` })).toThrow(
      /^REDIS_URL must end with the number of a database, such as redis:\/\/host\/0, or with none\.$/,
    );
    for (const right of ['', '/', '/0', '/15']) load({ REDIS_URL: `redis://127.0.0.1${right}` });
  });

  it.each(['DATABASE_URL', 'REDIS_URL', 'SMTP_URL'])('never show what a wrong %s held', (name) => {
    expect(() => load({ [name]: 'user:hunter2@host' })).toThrow(/^(?!.*hunter2)/);
  });

  it('wait as long as they say in production, and a fraction of it in tests', () => {
    expect(Config.load({ TIMING_SCALE: '0.05' }).get('TIMING_SCALE')).toBe(0.05);
    expect(() => Config.load({ ...PRODUCTION, TIMING_SCALE: '0.05' })).toThrow(/TIMING_SCALE is for tests/);
    expect(() => Config.load({ TIMING_SCALE: '0' })).toThrow(/TIMING_SCALE/);
  });

  it.each(['MASTER_KEY', 'DATABASE_URL', 'PUBLIC_URL'] as const)('stop a production start without %s', (name) => {
    const { [name]: _, ...rest } = PRODUCTION;
    expect(() => load(rest)).toThrow(new RegExp(`^${name} is missing: `));
  });

  it('take headers of the collector by name, and none that could not be sent', () => {
    const read = (OTEL_EXPORTER_OTLP_HEADERS: string) =>
      load({ OTEL_EXPORTER_OTLP_HEADERS }).get('OTEL_EXPORTER_OTLP_HEADERS');
    expect(read('')).toEqual({});
    expect(read('authorization=Basic%20a%3D%3D, x-key = b=c ,')).toEqual({
      authorization: 'Basic a==',
      'x-key': 'b=c',
    });
    for (const wrong of [
      'of-a-test',
      'authorization=of-a-test 100%',
      'x key=of-a-test',
      '=of-a-test',
      'a=of-a-test%0A',
    ])
      expect(() => read(wrong)).toThrow(/^OTEL_EXPORTER_OTLP_HEADERS must be (?!.*of-a-test)/);
  });

  it('take no socket of a signer whose path no system would take', () => {
    const SIGNER_SOCKET = `/run/${'s'.repeat(96)}`;
    const secret = { SIGNER_SECRET: 's'.repeat(32) };
    for (const how of [{ SIGNER: 'socket' }, { ROLE: 'signer' }] as Record<string, string>[]) {
      expect(() => load({ ...how, ...secret, SIGNER_SOCKET })).toThrow(/^SIGNER_SOCKET must .*at most 100 characters/);
      expect(() => load({ ...how, ...secret, DATA_DIR: SIGNER_SOCKET })).toThrow(/^SIGNER_SOCKET must /);
      expect(load({ ...how, ...secret, SIGNER_SOCKET: SIGNER_SOCKET.slice(0, 100) }).signerSocket).toHaveLength(100);
    }
    expect(load({ DATA_DIR: SIGNER_SOCKET }).get('SIGNER')).toBe('own-process');
  });

  it('take name servers by address, with a port or without', () => {
    const servers = ['192.0.2.53', '192.0.2.53:65535', '2001:db8::53', '[2001:db8::53]:5353'];
    expect(load({ DNS_SERVERS: servers.join(', ') }).get('DNS_SERVERS')).toEqual(servers);
  });

  it.each([' production', 'production ', 'production\r'])(
    'of production are those of NODE_ENV=%j as well',
    (NODE_ENV) => {
      const config = load({ ...PRODUCTION, NODE_ENV });
      expect([config.isProduction, config.get('ORGANIZATIONS'), config.get('SEED')]).toEqual([true, 'closed', false]);
      expect(() => load({ ...PRODUCTION, NODE_ENV, MASTER_KEY: '' })).toThrow(/^MASTER_KEY is missing: production/);
      expect(Config.meansProduction({ NODE_ENV })).toBe(true);
    },
  );

  it('take blank values as absent', () => {
    expect(load({ PORT: ' ' }).get('PORT')).toBe(3000);
  });
});
