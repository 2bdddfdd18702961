import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { EgressPolicy } from './egress-policy.js';
import { GuardedDispatcher } from './guarded-dispatcher.js';
import { OutboundHttp } from './outbound-http.js';

/** The guarded way out, for every context that calls addresses of others. */
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
      ],
      exports: [EgressPolicy, OutboundHttp],
    };
  }

  constructor(private readonly http: OutboundHttp) {}

  /** After the last request of the workers, which end before. */
  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }
}
