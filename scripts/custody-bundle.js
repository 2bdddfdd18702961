/** Bundles clients/custody and its dependencies into one module for browsers. */
import { join } from 'node:path';
import { root } from './sources.js';

const SOURCES = join(root, 'clients/custody/src');
const ENTRY = 'custody';

/**
 * @param {readonly string[] | null} names exports that an application uses; null for all of them
 * @param {string} module of the package
 * @returns {Promise<string>} the text of an ES module
 */
export async function bundleCustody(names = null, module = 'index.ts') {
  const { rolldown } = await import('rolldown');
  const exported = names ? `{ ${names.join(', ')} }` : '*';
  const build = await rolldown({
    input: { [ENTRY]: ENTRY },
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === ENTRY ? `\0${ENTRY}` : null),
        load: (id) =>
          id === `\0${ENTRY}` ? `export ${exported} from ${JSON.stringify(join(SOURCES, module))};` : null,
      },
    ],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    onLog: (level, log, next) => {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      if (level === 'error') next(level, log);
    },
  });
  try {
    const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false });
    return output[0].code;
  } finally {
    await build.close();
  }
}
