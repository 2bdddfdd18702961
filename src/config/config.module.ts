import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Config } from './config.js';

/** Settings and the clock, for every module. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Config, useValue: config }, Clock],
      exports: [Config, Clock],
    };
  }
}
