import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

interface Container {
  name: string;
  image: string;
  ports?: { name: string; containerPort: number }[];
  env?: { name: string; value: string }[];
  envFrom?: ({ configMapRef: { name: string } } | { secretRef: { name: string } })[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  lifecycle?: { preStop: { exec: { command: string[] } } };
}
interface Probe {
  httpGet: { path: string; port: string };
}

/** The parts of a cluster object that the checks below read. */
export interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: {
    selector?: Record<string, string> & { matchLabels?: Record<string, string> };
    template?: {
      metadata: { labels: Record<string, string> };
      spec: { terminationGracePeriodSeconds: number; containers: Container[] };
    };
    ports?: { name: string; targetPort: string }[];
    podSelector?: { matchLabels?: Record<string, string> };
    ingress?: { ports: { port: string }[] }[];
    egress?: { to: { ipBlock: { cidr: string; except: string[] } }[] }[];
    rules?: { http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] } }[];
  };
}

export const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => {
    const [problem] = document.errors;
    if (problem) throw problem;
    return document.toJS() as Manifest;
  });

export const readManifests = (folder: string): Manifest[] =>
  readdirSync(folder)
    .sort()
    .flatMap((name) => parseManifests(readFileSync(join(folder, name), 'utf8')));

let validator: ValidateFunction | undefined;

/** Violations of the schema beside this file, which contains only the kinds and fields used here. */
export function schemaProblems(manifest: Manifest): string[] {
  const file = new URL('kubernetes.schema.json', import.meta.url);
  validator ??= new Ajv2020({ allErrors: true, strict: true, strictRequired: false, discriminator: true }).compile(
    JSON.parse(readFileSync(file, 'utf8')) as object,
  );
  const isRight: boolean = validator(manifest);
  if (isRight) return [];
  return (validator.errors ?? []).map(({ instancePath, message, params }) =>
    `${manifest.kind}/${manifest.metadata?.name}${instancePath}: ${message} ${JSON.stringify(params)}`.trim(),
  );
}

/** All objects of a kind, such as Deployments. */
export const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((manifest) => manifest.kind === kind);

const covers = (selector: Record<string, string>, labels: Record<string, string>): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

/** Names and labels without a target. @param settings the variables that the service reads */
export function danglingReferences(manifests: readonly Manifest[], settings: ReadonlySet<string>): string[] {
  const deployments = ofKind(manifests, 'Deployment');
  const labelsOf = (deployment: Manifest): Record<string, string> => deployment.spec!.template!.metadata.labels;
  const portsOf = (deployment: Manifest): string[] =>
    deployment.spec!.template!.spec.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name));
  const selected = (selector: Record<string, string>): Manifest[] =>
    deployments.filter((deployment) => covers(selector, labelsOf(deployment)));
  const configMaps = ofKind(manifests, 'ConfigMap');

  const problems = manifests.flatMap((manifest): string[] => {
    const at = `${manifest.kind}/${manifest.metadata.name}`;
    const { spec = {} } = manifest;
    switch (manifest.kind) {
      case 'Deployment':
        return [
          ...(covers(spec.selector?.matchLabels ?? {}, labelsOf(manifest)) ? [] : [`${at}: selects other pods`]),
          ...spec.template!.spec.containers.flatMap((container) =>
            containerProblems(container, configMaps, settings, at),
          ),
        ];
      case 'PodDisruptionBudget':
        return selected(spec.selector?.matchLabels ?? {}).length === 1 ? [] : [`${at}: is not about one deployment`];
      case 'Service': {
        const targets = selected(spec.selector ?? {});
        if (targets.length !== 1) return [`${at}: does not lead to one deployment`];
        return (spec.ports ?? []).flatMap(({ targetPort }) =>
          portsOf(targets[0]!).includes(targetPort) ? [] : [`${at}: nobody listens at ${targetPort}`],
        );
      }
      case 'NetworkPolicy': {
        const targets = selected(spec.podSelector?.matchLabels ?? {});
        if (targets.length !== 1) return [`${at}: is not about one deployment`];
        return (spec.ingress ?? []).flatMap(({ ports }) =>
          ports.flatMap(({ port }) =>
            portsOf(targets[0]!).includes(port) ? [] : [`${at}: nobody listens at ${port}`],
          ),
        );
      }
      case 'Ingress': {
        const services = ofKind(manifests, 'Service');
        const backends = (spec.rules ?? []).flatMap(({ http }) => http.paths.map(({ backend }) => backend.service));
        return backends.flatMap(({ name, port }) => {
          const service = services.find(({ metadata }) => metadata.name === name);
          const isThere = service?.spec?.ports?.some((one) => one.name === port.name) === true;
          return isThere ? [] : [`${at}: there is no ${name}:${port.name}`];
        });
      }
      case 'ConfigMap':
        return Object.keys(manifest.data ?? {}).flatMap((name) => unknownSetting(name, settings, at));
      default:
        return [];
    }
  });
  return problems;
}

const unknownSetting = (name: string, settings: ReadonlySet<string>, at: string): string[] =>
  settings.has(name) ? [] : [`${at}: the service reads no ${name}`];

function containerProblems(
  container: Container,
  configMaps: readonly Manifest[],
  settings: ReadonlySet<string>,
  at: string,
): string[] {
  const { ports = [], env = [], envFrom = [], startupProbe, livenessProbe, readinessProbe } = container;
  const probes = [startupProbe, livenessProbe, readinessProbe].filter((probe) => probe !== undefined);
  const listens = env.find(({ name }) => name === 'PORT')?.value;
  return [
    ...env.flatMap(({ name }) => unknownSetting(name, settings, at)),
    ...probes.flatMap(({ httpGet }) =>
      ports.some(({ name }) => name === httpGet.port) ? [] : [`${at}: nobody listens at ${httpGet.port}`],
    ),
    ...ports.flatMap(({ containerPort }) =>
      String(containerPort) === listens ? [] : [`${at}: PORT is not ${containerPort}`],
    ),
    ...envFrom.flatMap((source) =>
      'configMapRef' in source && !configMaps.some(({ metadata }) => metadata.name === source.configMapRef.name)
        ? [`${at}: there is no ConfigMap ${source.configMapRef.name}`]
        : [],
    ),
  ];
}
