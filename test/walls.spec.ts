import { beforeAll, describe, expect, it } from '@jest/globals';
import { Global, Injectable, Module } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { join } from 'node:path';
import { AppModule } from '../src/app.module.js';
import { Config } from '../src/config/index.js';
import { generateMasterKey, parseKeyRing } from '../src/vault/index.js';
import { GLOBAL_MODULES, NEEDLESS_EXPORTS } from './support/architecture/exceptions.js';
import { readSources } from './support/architecture/source-file.js';
import { findGlobals, findNeedlessExports } from './support/architecture/walls.js';

const root = join(import.meta.dirname, '..');

/** What programs, tests and the guard take out of the application by its class. */
const asked = new Set(
  ['src', 'extensions', 'bench', 'chaos', 'test']
    .flatMap((folder) => readSources(root, folder))
    .flatMap(({ text }) => [...text.matchAll(/(?:\.get|ScopedBy)\(\s*(\w+)/g)].map(([, name = '']) => name)),
);

async function modulesOf(module: object): Promise<ModulesContainer> {
  const app = await NestFactory.create(module, { preview: true, logger: false, abortOnError: false });
  return app.get(ModulesContainer);
}

@Injectable()
class ThingsRepository {}

@Injectable()
class Things {
  constructor(readonly things: ThingsRepository) {}
}

@Injectable()
class Shelf {
  constructor(readonly things: Things) {}
}

@Global()
@Module({ providers: [Things, ThingsRepository], exports: [Things, ThingsRepository] })
class ThingsModule {}

@Module({ imports: [ThingsModule], providers: [Shelf], exports: [Shelf] })
class PlantedModule {}

describe('the walls between modules', () => {
  let modules: ModulesContainer;
  let planted: ModulesContainer;

  beforeAll(async () => {
    const parts = { config: Config.load({}), vault: parseKeyRing(generateMasterKey()) };
    modules = await modulesOf(AppModule.forRoot(parts));
    planted = await modulesOf(PlantedModule);
  });

  it('leave nothing global but infrastructure', () => {
    expect(findGlobals(planted, {})).toEqual(['ThingsModule']);
    expect(findGlobals(modules, GLOBAL_MODULES)).toEqual([]);
    const known = [...modules.values()].filter(({ isGlobal }) => isGlobal).map(({ name }) => name);
    expect(Object.keys(GLOBAL_MODULES).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('let out ports that others use, and nothing else', () => {
    expect(findNeedlessExports(planted, new Set())).toEqual(['PlantedModule: Shelf', 'ThingsModule: ThingsRepository']);
    expect(findNeedlessExports(planted, new Set(['Shelf']))).toEqual(['ThingsModule: ThingsRepository']);
    const needless = findNeedlessExports(modules, asked);
    expect(needless.filter((text) => !(text in NEEDLESS_EXPORTS))).toEqual([]);
    expect(Object.keys(NEEDLESS_EXPORTS).filter((excuse) => !needless.includes(excuse))).toEqual([]);
  });
});
