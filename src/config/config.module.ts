import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Timing } from '../common/timing.js';
import { Config } from './config.js';

/** Settings, the clock and the waits of the service, for every module. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: Config, useValue: config },
        Clock,
        { provide: Timing, useValue: new Timing(config.get('TIMING_SCALE')) },
      ],
      exports: [Config, Clock, Timing],
    };
  }
}
