import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { BlockList, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { SETTINGS } from '../src/config/index.js';
import { parseCompose } from './support/deploy/compose.js';
import {
  danglingReferences,
  ofKind,
  parseManifests,
  readManifests,
  schemaProblems,
  type Manifest,
} from './support/deploy/kubernetes.js';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifests = readManifests(join(root, 'deploy/kubernetes'));
const settings = new Set(Object.keys(SETTINGS));

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** The shipped manifests with one mistake in the text of one file. */
const planted = (file: string, right: string, wrong: string): Manifest[] => {
  const text = read(`deploy/kubernetes/${file}`);
  expect(text).toContain(right);
  return parseManifests(text.replace(right, wrong));
};

describe('deploy/kubernetes', () => {
  it('holds two kinds of instances, each of them twice, what leads to them and what keeps them there', () => {
    expect(manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`).sort()).toEqual([
      'ConfigMap/gatehouse',
      'Deployment/gatehouse-api',
      'Deployment/gatehouse-worker',
      'Ingress/gatehouse',
      'NetworkPolicy/gatehouse-api',
      'NetworkPolicy/gatehouse-worker',
      'PodDisruptionBudget/gatehouse-api',
      'PodDisruptionBudget/gatehouse-worker',
      'Service/gatehouse-api',
    ]);
    const roles = ofKind(manifests, 'Deployment').map(
      ({ spec }) => spec!.template!.spec.containers[0]!.env?.find(({ name }) => name === 'ROLE')?.value,
    );
    expect(roles).toEqual(['api', 'worker']);
  });

  it('has the form that the schema describes', () => {
    expect(manifests.flatMap(schemaProblems)).toEqual([]);
  });

  it.each([
    ['api.yaml', 'runAsNonRoot: true', 'runAsNonRoot: false', '/runAsNonRoot: must be equal to constant'],
    ['api.yaml', 'readOnlyRootFilesystem', 'readonlyRootFilesystem', 'must NOT have additional properties'],
    ['api.yaml', 'replicas: 2', 'replicas: 1', '/spec/replicas: must be >= 2'],
    ['api.yaml', 'memory: 256Mi', 'memory: 256M', '/memory: must match pattern'],
    ['api.yaml', `@sha256:${'0'.repeat(64)}`, ':1.0.0', '/image: must match pattern'],
    ['api.yaml', '          readinessProbe:', '          readynessProbe:', 'missingProperty":"readinessProbe'],
    ['worker.yaml', 'drop: [ALL]', 'drop: [NET_RAW]', '/drop: must be equal to constant'],
    ['worker.yaml', 'apiVersion: apps/v1', 'apiVersion: apps/v1beta1', '/apiVersion: must be equal to constant'],
    ['ingress.yaml', 'pathType: Prefix', 'pathType: prefix', '/pathType: must be equal to one of the allowed values'],
    [
      'network.yaml',
      'policyTypes: [Ingress, Egress]',
      'policyTypes: [Egress]',
      '/policyTypes: must be equal to constant',
    ],
    ['network.yaml', 'cidr: ::/0', 'cidr: 10.0.0.0/8', '/cidr: must be equal to one of the allowed values'],
    ['config.yaml', 'NODE_ENV: production', 'NODE_ENV: 1', '/data/NODE_ENV: must be string'],
  ])('in %s would not pass with "%s" as "%s"', (file, right, wrong, expected) => {
    expect(planted(file, right, wrong).flatMap(schemaProblems).join('\n')).toContain(expected);
  });

  it('names ports, services, labels and variables that exist', () => {
    expect(danglingReferences(manifests, settings)).toEqual([]);
  });

  it.each([
    ['api.yaml', 'name: ROLE', 'name: ROLES', 'the service reads no ROLES'],
    ['api.yaml', "value: '3000'", "value: '3001'", 'PORT is not 3000'],
    ['api.yaml', 'targetPort: http', 'targetPort: web', 'Service/gatehouse-api: nobody listens at web'],
    [
      'api.yaml',
      'port: http\n            periodSeconds: 1\n',
      'port: web\n            periodSeconds: 1\n',
      'nobody listens at web',
    ],
    [
      'api.yaml',
      'selector:\n    app.kubernetes.io/name: gatehouse\n    app.kubernetes.io/component: api',
      'selector:\n    app.kubernetes.io/component: web',
      'Service/gatehouse-api: does not lead to one deployment',
    ],
    ['ingress.yaml', 'name: gatehouse-api', 'name: gatehouse', 'there is no gatehouse:http'],
    [
      'network.yaml',
      'component: api\n  policyTypes',
      'component: web\n  policyTypes',
      'NetworkPolicy/gatehouse-api: is not about one deployment',
    ],
    ['network.yaml', 'port: http', 'port: web', 'NetworkPolicy/gatehouse-api: nobody listens at web'],
    ['config.yaml', 'MAIL_FROM:', 'MAIL_SENDER:', 'the service reads no MAIL_SENDER'],
    ['config.yaml', 'name: gatehouse\n', 'name: other\n', 'there is no ConfigMap gatehouse'],
  ])('in %s would lead nowhere with "%s" as "%s"', (file, right, wrong, expected) => {
    const others = manifests.filter(({ kind, metadata }) =>
      parseManifests(read(`deploy/kubernetes/${file}`)).every(
        (own) => own.kind !== kind || own.metadata.name !== metadata.name,
      ),
    );
    expect(danglingReferences([...others, ...planted(file, right, wrong)], settings).join('\n')).toContain(expected);
  });

  it('lets nobody in to a worker, and nothing out to where clouds hand out credentials', () => {
    const policies = ofKind(manifests, 'NetworkPolicy').map(({ metadata, spec }) => [metadata.name, spec!] as const);
    expect(Object.fromEntries(policies.map(([name, { ingress = [] }]) => [name, ingress.length]))).toEqual({
      'gatehouse-api': 1,
      'gatehouse-worker': 0,
    });
    const ofClouds = [
      ...['169.254.169.254', '169.254.170.2', '100.100.100.200'],
      ...['fe80::a9fe:a9fe', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe'],
    ];
    for (const [, { egress = [] }] of policies) {
      const blocked = new BlockList();
      for (const range of egress.flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock.except))) {
        const [address, bits] = range.split('/');
        blocked.addSubnet(address!, Number(bits), familyOf(address!));
      }
      expect(ofClouds.filter((address) => !blocked.check(address, familyOf(address)))).toEqual([]);
    }
  });

  it('keeps every secret out: the variables that hold one come from a secret by its name', () => {
    const written = manifests.flatMap(({ data = {}, spec }) => [
      ...Object.keys(data),
      ...(spec?.template?.spec.containers ?? []).flatMap(({ env = [] }) => env.map(({ name }) => name)),
    ]);
    const secret = Object.entries(SETTINGS).filter(([, setting]) => 'secret' in setting && setting.secret);
    expect(secret.map(([name]) => name)).toContain('MASTER_KEY');
    expect(written.filter((name) => secret.some(([one]) => one === name))).toEqual([]);
    expect(ofKind(manifests, 'Secret')).toEqual([]);
  });

  it('asks what compose asks, and gives an instance the time that it takes to stop', () => {
    const { services } = parseCompose(read('docker-compose.yml'));
    expect(services['api-1']?.stop_grace_period).toBe('30s');
    const [, patience = ''] = /PATIENCE_MS = ([\d_]+)/.exec(read('src/bootstrap/shutdown.ts')) ?? [];
    for (const { spec } of ofKind(manifests, 'Deployment')) {
      const { containers, terminationGracePeriodSeconds } = spec!.template!.spec;
      const pause = Number(containers[0]!.lifecycle?.preStop.exec.command[1] ?? 0);
      expect(terminationGracePeriodSeconds).toBeGreaterThan(pause + Number(patience.replaceAll('_', '')) / 1_000);
      const { readinessProbe, livenessProbe, startupProbe } = containers[0]!;
      const paths = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet.path);
      expect(paths).toEqual(
        containers[0]!.ports ? ['/healthz', '/healthz', '/readyz'] : [undefined, undefined, undefined],
      );
    }
  });
});
