import { ConfigError, type Setting } from './setting.js';

/** A bucket of an S3-compatible store. */
export interface ObjectStore {
  /** Scheme, host and port. */
  origin: string;
  bucket: string;
  /** Prepended to every name; empty or ending with a slash. */
  prefix: string;
  region: string;
  keyId: string;
  secret: string;
}

const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/;
const FOLDER = /^[\w-]{1,64}$/;
const REGION = /^[a-z\d-]{1,32}$/;
const SHAPE =
  'must look like https://<key id>:<secret>@<host>/<bucket>/<folders>?region=<region>, the secret percent-encoded';

/** A bucket with its credentials, in one URL. */
export const objectStoreSetting = (base: { about: string; defaultText: string }): Setting<ObjectStore | null> => ({
  ...base,
  secret: true,
  read: (text) => (text === undefined || text.trim() === '' ? null : parse(text.trim())),
});

/** @throws ConfigError without any of the text, which contains a secret */
function parse(text: string): ObjectStore {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.hash !== '') throw new ConfigError(SHAPE);
  const [bucket = '', ...folders] = url.pathname.split('/').filter(Boolean);
  const region = url.searchParams.get('region') ?? 'us-east-1';
  const isKnown = [...url.searchParams.keys()].every((name) => name === 'region');
  const [keyId, secret] = [decoded(url.username), decoded(url.password)];
  const fits = BUCKET.test(bucket) && folders.every((folder) => FOLDER.test(folder)) && REGION.test(region);
  if (!fits || !isKnown || !keyId || !secret) throw new ConfigError(SHAPE);
  const prefix = folders.map((folder) => `${folder}/`).join('');
  return { origin: url.origin, bucket, prefix, region, keyId, secret };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
