import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { SecurityLog } from '../common/security/index.js';
import { Timing } from '../common/timing.js';
import { Config } from './config.js';

/** Provides the settings, the clock, the timing and the security log to every module. */
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
