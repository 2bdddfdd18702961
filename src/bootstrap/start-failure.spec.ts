import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SealedBlobError } from '../vault/index.js';
import { localSecrets } from './local-secrets.js';
import { explainStartFailure } from './start-failure.js';

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('a start that failed', () => {
  it.each(['file', join('file', 'data')])('because DATA_DIR is %s says so in one line', (place) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-start-'));
    writeFileSync(join(folder, 'file'), '');
    const said = explainStartFailure(thrownBy(() => localSecrets(join(folder, place))));
    rmSync(folder, { recursive: true });
    expect(said).toMatch(/^Gatehouse did not start: .*file.* cannot be used \(E[A-Z]+\): .* with DATA_DIR\.$/);
  });

  it('because nothing may be created in the parent of DATA_DIR says so in one line, and does not try for ever', () => {
    const said = explainStartFailure(thrownBy(() => localSecrets('/proc/gatehouse')));
    expect(said).toBe(
      'Gatehouse did not start: /proc/gatehouse cannot be created (ENOENT): choose another folder with DATA_DIR.',
    );
  });

  it('because there is no room for the key says so in one line, and leaves no empty key for the next start', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-start-'));
    const program = [
      "import { localSecrets } from './src/bootstrap/local-secrets.ts';",
      "import { explainStartFailure } from './src/bootstrap/start-failure.ts';",
      `try { localSecrets(${JSON.stringify(folder)}); } catch (error) { console.log(explainStartFailure(error)); }`,
    ].join('\n');
    // Of files, this process may write nothing.
    const shell = 'ulimit -f 0; exec "$0" --import ./scripts/typescript-loader.js --input-type=module --eval "$1"';
    const { stdout } = spawnSync('sh', ['-c', shell, process.execPath, program], { encoding: 'utf8' });
    const left = readdirSync(folder);
    rmSync(folder, { recursive: true });
    expect(stdout).toMatch(
      /^Gatehouse did not start: there is no room for .*master\.key \(EFBIG\): make room there.*\.\n$/,
    );
    expect(left).toEqual([]);
  });

  it('because the key of the machine was deleted says where it was, and how to start without it', () => {
    const said = explainStartFailure(new SealedBlobError('unknown-key'));
    expect(said).toMatch(
      /^Gatehouse did not start: .*\(unknown-key\).* master\.key in DATA_DIR.* move DATA_DIR away .*\.$/,
    );
  });

  it('because of a folder that the user may not write to speaks of the folder, and of a port only where it is one', () => {
    const refused = (of: object): Error =>
      Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', ...of });
    const folder = explainStartFailure(refused({ syscall: 'mkdir', path: '/srv/data' }));
    expect(folder).toMatch(/^Gatehouse did not start: \/srv\/data cannot be used \(EACCES\): .* with DATA_DIR\.$/);
    const port = explainStartFailure(refused({ syscall: 'listen', address: '0.0.0.0', port: 80 }));
    expect(port).toBe(
      'Gatehouse did not start: This user may not open port 80: choose a port above 1023 with PORT=<port>.',
    );
  });

  it.each([
    [
      'a certificate nobody vouches for',
      { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
      /certificate .*NODE_EXTRA_CA_CERTS/,
    ],
    ['a certificate of its own', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /certificate .*NODE_EXTRA_CA_CERTS/],
    ['a certificate of another host', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, /certificate .*NODE_EXTRA_CA_CERTS/],
    ['a table that a backup holds', { code: '55P03', message: 'lock timeout' }, /hold a table .*backup.*start again/],
    [
      'no right',
      { code: '42501', message: 'permission denied for schema public' },
      /make it the owner of the database/,
    ],
    [
      'a table of another role',
      { code: '42501', message: 'must be owner of table audit_records' },
      /\(must be owner of table audit_records\): .*the trail.* grant that role for the start/,
    ],
    ['not started yet', { code: '57P03' }, /is starting or stopping: start again/],
    ['no connection left', { code: '53300' }, /no connection left: .*max_connections.*DATABASE_POOL/],
    ['no permission to write', { code: '25006' }, /takes no writes.*primary/],
    ['no space left', { code: '53100' }, /disk of PostgreSQL is full/],
    ['ended the connection', { code: '57P01' }, /ended the connection.*start again/],
    [
      'no such parameter',
      { code: '42704', severity: 'FATAL', message: 'unrecognized configuration parameter "x"' },
      /turned the connection away \(unrecognized .*"x"\): check DATABASE_URL/,
    ],
    [
      'no socket',
      { code: 'ENOENT', syscall: 'connect', address: '/run/postgresql/.s.PGSQL.5432' },
      /\/run\/postgresql\/\.s\.PGSQL\.5432.*check DATABASE_URL/,
    ],
    ['hung up', { message: 'Connection terminated unexpectedly' }, /ended the connection.*start again/],
    ['no TLS', { message: 'The server does not support SSL connections' }, /speaks no TLS.*sslmode/],
    [
      'a file of certificates that is missing',
      { code: 'ENOENT', syscall: 'open', path: '/etc/ca.pem' },
      /\/etc\/ca\.pem/,
    ],
  ])('because the database has %s says so in one line', (_what, of, expected) => {
    const said = explainStartFailure(Object.assign(new Error('refused'), of));
    expect(said).toMatch(expected);
    expect(said.split('\n')).toHaveLength(1);
  });
});
