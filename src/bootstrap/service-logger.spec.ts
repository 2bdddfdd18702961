import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { LogRecord } from '../common/log-record.js';
import { Config } from '../config/index.js';
import { loggerFor } from './create-app.js';

const development = (least: string) => Config.load({ NODE_ENV: 'development', LOG_LEVEL: least });

/** What modules write through Nest's logger, with LOG_LEVEL as given. */
async function written(least: string, write: () => void): Promise<string> {
  const lines: string[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  Logger.overrideLogger(await loggerFor(development(least)));
  write();
  return lines.join('');
}

afterEach(() => {
  jest.restoreAllMocks();
  Logger.overrideLogger(false);
});

describe('the log of a development service', () => {
  it('has lines of the default level, such as answered requests and those of a job', async () => {
    const text = await written('log', () => {
      new Logger('Requests').log(new LogRecord('answered', { operationId: 'getUsers', status: 200 }));
      new Logger('Reminders').log('three were sent');
      new Logger('Reminders').debug('one was not due');
    });
    expect(text).toContain('answered operationId=getUsers status=200');
    expect(text).toContain('three were sent');
    expect(text).not.toContain('one was not due');
  });

  it('leaves out the line by line account of a start', async () => {
    const text = await written('verbose', () => {
      new Logger('InstanceLoader').log('NotesModule dependencies initialized');
      new Logger('RouterExplorer').log('Mapped {/notes, GET} route');
    });
    expect(text).toBe('');
  });

  it('has only worse lines with LOG_LEVEL=warn', async () => {
    const text = await written('warn', () => {
      new Logger('Reminders').log('three were sent');
      new Logger('Reminders').warn('one was not sent');
    });
    expect(text).not.toContain('three');
    expect(text).toContain('one was not sent');
  });
});
