/**
 * The base images of the deployment files: `npm run images:pin` adds their digests to their versions, `npm run
 * images:check` refuses a file that names an image without a digest. A tag can be moved to another image, a digest cannot.
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
/** Images built by the operator or replaced by theirs. */
const OWN = /^(?:gatehouse$|registry\.example\.com\/)/;

/** Third-party images named by a file, without the stages of a Dockerfile. */
export function imagesOf(text) {
  const stages = new Set([...text.matchAll(/^FROM\s+\S+\s+AS\s+(\S+)/gm)].map(([, name]) => name));
  const names = [...text.matchAll(NAMED)].map(([, , name]) => name);
  return [...new Set(names.filter((name) => !stages.has(name) && !OWN.test(name)))];
}

/** Names without a version, or with `latest`. */
export const unversioned = (text) => imagesOf(text).filter((name) => !/:(?!latest\b)[\w.-]+(?:@|$)/.test(name));

export const unpinned = (text) => imagesOf(text).filter((name) => !DIGEST.test(name));

/** @param digestOf is called once per image, with its name without any digest */
export function pinned(text, digestOf) {
  const digests = new Map(
    imagesOf(text).map((name) => [name, `${name.replace(DIGEST, '')}@${checked(digestOf, name)}`]),
  );
  return text.replace(NAMED, (line, before, name) => (digests.has(name) ? `${before}${digests.get(name)}` : line));
}

function checked(digestOf, name) {
  const digest = digestOf(name.replace(DIGEST, ''));
  if (!DIGEST.test(`@${digest}`)) throw new Error(`The registry returned no digest for ${name}.`);
  return digest;
}

/** The digest in the registry, that of the multi-platform image index. */
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
    // All digests are fetched before anything is written.
    const written = files.map(({ path, text }) => ({ path, text: pinned(text, digestOf) }));
    for (const { path, text } of written) writeFileSync(path, text);
    for (const [name, digest] of known) console.log(`${name}@${digest}`);
    return 0;
  }
  if (command !== 'check') throw new Error('Usage: npm run images:pin, or images:check');
  const loose = files.flatMap(({ file, text }) => unpinned(text).map((name) => `${file}: ${name} has no digest`));
  for (const line of loose) console.error(line);
  if (loose.length > 0) console.error('npm run images:pin adds the digests; it queries the registry through docker.');
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
