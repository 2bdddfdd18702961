import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { SecurityLog } from '../common/security/index.js';
import { Timing } from '../common/timing.js';
import { Config } from './config.js';

/** Settings, the clock, the waits and the security log of the service, for every module. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: Config, useValue: config },
        Clock,
        SecurityLog,
        { provide: Timing, useValue: new Timing(config.get('TIMING_SCALE')) },
      ],
      exports: [Config, Clock, SecurityLog, Timing],
    };
  }
}
