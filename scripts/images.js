/**
 * The images that the files of a deployment start from: `npm run images:pin` writes their digests beside their versions,
 * `npm run images:check` refuses a file that names one without. A version may be moved to another image, a digest may not.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const FILES = [
  'Dockerfile',
  'docker-compose.yml',
  'deploy/kubernetes/api.yaml',
  'deploy/kubernetes/worker.yaml',
];

/** `FROM` of a Dockerfile, and `image:` of manifests. */
const NAMED = /^(\s*(?:FROM|image:)\s+)(\S+)/gm;
const DIGEST = /@sha256:[0-9a-f]{64}$/;
/** What an operator puts in place of: built here, or theirs. */
const OWN = /^(?:gatehouse$|registry\.example\.com\/)/;

/** Images of others that a file names; stages of a Dockerfile are none. */
export function imagesOf(text) {
  const stages = new Set([...text.matchAll(/^FROM\s+\S+\s+AS\s+(\S+)/gm)].map(([, name]) => name));
  const names = [...text.matchAll(NAMED)].map(([, , name]) => name);
  return [...new Set(names.filter((name) => !stages.has(name) && !OWN.test(name)))];
}

/** Names without a version, or with one that everybody moves. */
export const unversioned = (text) => imagesOf(text).filter((name) => !/:(?!latest\b)[\w.-]+(?:@|$)/.test(name));

export const unpinned = (text) => imagesOf(text).filter((name) => !DIGEST.test(name));

/** @param digestOf is asked once for each image, without a digest that it has already */
export function pinned(text, digestOf) {
  const digests = new Map(
    imagesOf(text).map((name) => [name, `${name.replace(DIGEST, '')}@${checked(digestOf, name)}`]),
  );
  return text.replace(NAMED, (line, before, name) => (digests.has(name) ? `${before}${digests.get(name)}` : line));
}

function checked(digestOf, name) {
  const digest = digestOf(name.replace(DIGEST, ''));
  if (!DIGEST.test(`@${digest}`)) throw new Error(`The registry named no digest of ${name}.`);
  return digest;
}

/** As the registry says it, of the list of images for all kinds of machines. */
const fromRegistry = (name) =>
  execFileSync('docker', ['buildx', 'imagetools', 'inspect', name, '--format', '{{.Manifest.Digest}}'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();

function main([command]) {
  const root = join(import.meta.dirname, '..');
  const files = FILES.map((file) => ({ file, path: join(root, file), text: readFileSync(join(root, file), 'utf8') }));
  if (command === 'pin') {
    const known = new Map();
    const digestOf = (name) => known.get(name) ?? known.set(name, fromRegistry(name)).get(name);
    // Everything is asked for before anything is written.
    const written = files.map(({ path, text }) => ({ path, text: pinned(text, digestOf) }));
    for (const { path, text } of written) writeFileSync(path, text);
    for (const [name, digest] of known) console.log(`${name}@${digest}`);
    return 0;
  }
  if (command !== 'check') throw new Error('Usage: npm run images:pin, or images:check');
  const loose = files.flatMap(({ file, text }) => unpinned(text).map((name) => `${file}: ${name} has no digest`));
  for (const line of loose) console.error(line);
  if (loose.length > 0) console.error('npm run images:pin writes them; it asks the registry through docker.');
  return loose.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    process.exitCode = main(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
