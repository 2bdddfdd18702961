import { describe, expect, it } from '@jest/globals';
import type { ServiceRequest } from '../common/http/request.js';
import { RequestFigures } from './request-figures.js';

const call = (operationId?: string): ServiceRequest => ({ operationId, url: '/secret/path' }) as ServiceRequest;

describe('figures of requests', () => {
  it('are by operation and class of status, in seconds, and never by path', () => {
    const figures = new RequestFigures();
    figures.answered(call('createUser'), 201, 3);
    figures.answered(call('createUser'), 200, 40);
    figures.answered(call('createUser'), 422, 7);
    figures.answered(call(), 404, 90_000);
    figures.answered(call('createUser'), 499, 5_000);
    figures.answered(call('createUser'), 499, 6_000);
    const [metric] = figures.metrics();
    const find = (part: string, labels: object): number | undefined =>
      metric?.values.find(
        ({ metricName, labels: own }) =>
          metricName === `${metric.name}_${part}` &&
          Object.entries(labels).every(([name, value]) => own[name] === value),
      )?.value;
    const created = { operation: 'createUser', status: '2xx' };
    expect(find('count', created)).toBe(2);
    expect(find('sum', created)).toBeCloseTo(0.043);
    expect(find('bucket', { ...created, le: 0.005 })).toBe(1);
    expect(find('bucket', { ...created, le: 0.05 })).toBe(2);
    expect(find('bucket', { ...created, le: '+Inf' })).toBe(2);
    expect(find('count', { operation: 'createUser', status: '4xx' })).toBe(1);
    // Of a client that left, nothing is known to be wrong with its request.
    expect(find('count', { operation: 'createUser', status: '499' })).toBe(2);
    expect(find('bucket', { operation: 'none', le: 60 })).toBe(0);
    expect(find('bucket', { operation: 'none', le: '+Inf' })).toBe(1);
    expect(JSON.stringify(metric)).not.toContain('secret');
  });

  it('cost some microseconds a request', () => {
    const figures = new RequestFigures();
    const requests = ['getUser', 'createUser', 'updateUser', undefined].map(call);
    const rounds = 50_000;
    const once = (): number => {
      const from = performance.now();
      for (let at = 0; at < rounds; at++) {
        const receivedAt = performance.now();
        figures.answered(requests[at & 3]!, 200, performance.now() - receivedAt);
      }
      return ((performance.now() - from) * 1_000) / rounds;
    };
    // The best of several: what else the machine does is not what is measured.
    expect(Math.min(...Array.from({ length: 10 }, once))).toBeLessThan(10);
  });
});
