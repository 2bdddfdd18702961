import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DnsRecords } from './dns/dns-records.js';
import { ResolverDnsRecords } from './dns/resolver-dns-records.js';
import { EgressPolicy } from './egress-policy.js';
import { GuardedDispatcher } from './guarded-dispatcher.js';
import { OutboundHttp } from './outbound-http.js';

/** Guarded outbound requests, for every context that calls third-party addresses, and DNS lookups. */
@Global()
@Module({})
export class OutboundModule implements OnApplicationShutdown {
  static forRoot(policy: EgressPolicy): DynamicModule {
    return {
      module: OutboundModule,
      providers: [
        { provide: EgressPolicy, useValue: policy },
        { provide: GuardedDispatcher, useFactory: () => new GuardedDispatcher(policy) },
        OutboundHttp,
        { provide: DnsRecords, useClass: ResolverDnsRecords },
      ],
      exports: [DnsRecords, EgressPolicy, OutboundHttp],
    };
  }

  constructor(private readonly http: OutboundHttp) {}

  /** After the workers' last request: they are stopped earlier. */
  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }
}
