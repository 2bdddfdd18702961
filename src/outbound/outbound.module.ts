import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DnsRecords } from './dns/dns-records.js';
import { ResolverDnsRecords } from './dns/resolver-dns-records.js';
import { EgressPolicy } from './egress-policy.js';
import { GuardedDispatcher } from './guarded-dispatcher.js';
import { OutboundHttp } from './outbound-http.js';

/** The guarded way out, for every context that calls addresses of others, and what the DNS says of a name. */
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

  /** After the last request of the workers, which end before. */
  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }
}
