import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Standstill } from '../../../test/support/standstill.js';
import { DnsServer } from '../../../test/support/dns-server.js';
import { Config } from '../../config/index.js';
import { DnsUnavailable } from './dns-records.js';
import { ResolverDnsRecords } from './resolver-dns-records.js';

describe('records of the DNS', () => {
  let server: DnsServer;
  let dns: ResolverDnsRecords;

  beforeAll(async () => {
    server = await DnsServer.start();
    dns = new ResolverDnsRecords(Config.load({ DNS_SERVERS: server.address }));
  });
  afterAll(() => server.close());

  it('are read as the server has them: texts in one piece, aliases in lower case', async () => {
    server.set('TXT', 'a.example.com', 'one', 'in two |pieces');
    server.set('CNAME', 'b.example.com', 'Target.Example.NET');
    expect((await dns.txt('a.example.com')).toSorted()).toEqual(['in two pieces', 'one']);
    expect(await dns.cname('b.example.com')).toEqual(['target.example.net']);
  });

  it('are none where the name or the record does not exist', async () => {
    expect(await dns.txt('nowhere.example.com')).toEqual([]);
    server.set('TXT', 'c.example.com', 'text');
    expect(await dns.cname('c.example.com')).toEqual([]);
  });

  it('are asked for anew each time, whatever their time to live', async () => {
    server.set('TXT', 'd.example.com', 'before');
    expect(await dns.txt('d.example.com')).toEqual(['before']);
    server.set('TXT', 'd.example.com', 'after');
    expect(await dns.txt('d.example.com')).toEqual(['after']);
  });

  it('are not known where the server fails', async () => {
    server.misbehave('e.example.com', 'fails');
    await expect(dns.txt('e.example.com')).rejects.toBeInstanceOf(DnsUnavailable);
  });

  it('are not known where the server is silent, within the time a question may take', async () => {
    server.misbehave('f.example.com', 'silent');
    const [began, standstill] = [performance.now(), Standstill.watch()];
    await expect(dns.txt('f.example.com')).rejects.toBeInstanceOf(DnsUnavailable);
    expect(performance.now() - began).toBeLessThan(6_000 + standstill.ms);
    standstill.stop();
  });
});
