import { describe, expect, it, jest } from '@jest/globals';
import type { HealthcheckRepository } from './healthcheck.repository.js';
import { HealthcheckService } from './healthcheck.service.js';

function health(assertAnswering: () => Promise<void>) {
  const asked = jest.fn(assertAnswering);
  return {
    asked,
    service: new HealthcheckService({
      assertAnswering: asked,
    } as Partial<HealthcheckRepository> as HealthcheckRepository),
  };
}

const afterASecond = () => new Promise((resolve) => setTimeout(resolve, 1_050));

describe('the health of the service', () => {
  it('is asked of the database once for many calls', async () => {
    const { asked, service } = health(async () => undefined);
    const answers = await Promise.all(Array.from({ length: 50 }, async () => service.status()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['healthy']));
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('follows the database within a second, down and up again', async () => {
    let isAway = true;
    const { service } = health(async () => {
      if (isAway) throw new Error('no connection');
    });
    expect(await service.status()).toEqual({ status: 'unhealthy' });
    isAway = false;
    await afterASecond();
    expect(await service.status()).toEqual({ status: 'healthy' });
  });

  it('is bad while the database hangs, which is asked one question at a time', async () => {
    const { asked, service } = health(() => new Promise(() => undefined));
    expect(await service.status()).toEqual({ status: 'unhealthy' });
    await afterASecond();
    expect(await service.status()).toEqual({ status: 'unhealthy' });
    expect(asked).toHaveBeenCalledTimes(1);
  });
});
