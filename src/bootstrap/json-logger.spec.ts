import { describe, expect, it } from '@jest/globals';
import { LogRecord } from '../common/log-record.js';
import { JsonLogger } from './json-logger.js';

async function lines(say: (logger: JsonLogger) => void, level: 'log' | 'debug' = 'log'): Promise<unknown[]> {
  const written: string[] = [];
  say(await JsonLogger.create(level, (line) => written.push(line)));
  for (const line of written) expect(line).toMatch(/^[^\n]*\n$/);
  return written.map((line) => JSON.parse(line) as unknown);
}

describe('the log of production', () => {
  it('is one line of JSON each, with time, level, context and sentence', async () => {
    const [line] = await lines((logger) => logger.warn('Something\nis odd', 'Webhooks'));
    expect(line).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: 'warn',
      pid: process.pid,
      context: 'Webhooks',
      msg: 'Something\nis odd',
    });
  });

  it('leaves out what is below its level', async () => {
    const say = (logger: JsonLogger): void => {
      logger.debug('detail');
      logger.log('said');
    };
    expect(await lines(say)).toHaveLength(1);
    expect(await lines(say, 'debug')).toHaveLength(2);
  });

  it('keeps stacks apart from sentences', async () => {
    const error = new Error('broken');
    const [first, second] = await lines((logger) => {
      logger.error('It failed', error.stack, 'Jobs');
      logger.error(error);
    });
    expect(first).toMatchObject({ msg: 'It failed', stack: error.stack, context: 'Jobs' });
    expect(second).toMatchObject({ msg: 'broken', stack: error.stack });
  });

  it('takes of a record the fields it knows, and of an object that is none nothing', async () => {
    const fields = { requestId: 'r-1', status: 503, password: 'hunter2', nested: { secret: 'hunter2' } };
    const written = await lines((logger) => {
      logger.warn(new LogRecord('failed', fields), 'Requests');
      logger.warn({ password: 'hunter2' });
    });
    expect(written[0]).toMatchObject({ msg: 'failed', requestId: 'r-1', status: 503, context: 'Requests' });
    expect(JSON.stringify(written)).not.toContain('hunter2');
  });

  it.each([
    ['a token of the service', `refused ghe_${'a'.repeat(40)}`, 'refused [token]'],
    ['a signing secret', 'key whsec_c2VjcmV0c2VjcmV0', 'key [secret]'],
    ['a JSON web token', 'got eyJhbGciOi.eyJzdWIi.c2ln', 'got [token]'],
    ['a bearer', 'Authorization: Bearer abc.def', 'Authorization: Bearer [token]'],
    ['credentials of an address', 'postgres://user:hunter2@db/x', 'postgres://[credentials]@db/x'],
    ['an email address', 'Key (email)=(someone@example.com)', 'Key (email)=([email])'],
    ['one in other letters', '550 <jörg.müller@exämple.com> 정@도메인.한국', '550 <[email]> [email]'],
    ['characters that act', 'a\u001b[31m\u2028b\u202ec', 'a\\u001b[31m\\u2028b\\u202ec'],
  ])('never shows %s', async (_name, text, expected) => {
    const [message, record] = await lines((logger) => {
      logger.log(text);
      logger.log(new LogRecord('said', { stack: text }));
    });
    expect(message).toMatchObject({ msg: expected });
    expect(record).toMatchObject({ stack: expected });
  });

  it('has no line that is long, or takes long, whatever a text repeats', async () => {
    const texts = ['a', 'eyJ-', 'eyJ', 'a.', 'whsec_', 'Bearer ', 'x://a:', 'a@'].map((part) => part.repeat(300_000));
    const begun = performance.now();
    const written = await lines((logger) => {
      for (const text of texts) logger.warn(text);
    });
    // On a slow and busy machine; a search that begins anew at each character takes minutes on any.
    expect(performance.now() - begun).toBeLessThan(15_000);
    const lengths = written.map((line) => (line as { msg: string }).msg.length);
    expect(Math.max(...lengths)).toBeLessThan(40_000);
  });

  it('leaves errors that stop the start to the line that explains them', async () => {
    const written = await lines((logger) => {
      logger.error('Error: listen EADDRINUSE', 'NestApplication');
      logger.error('anything', 'ExceptionHandler');
      logger.error('something else', 'NestApplication');
    });
    expect(written).toEqual([expect.objectContaining({ msg: 'something else' })]);
  });
});
