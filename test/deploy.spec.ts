/* eslint-disable @typescript-eslint/no-explicit-any -- what operators read is asserted, not typed */
import { load, loadAll } from 'js-yaml';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Env, loadEnv } from '../src/config/env.js';
import { startApp } from './support/app.js';
// @ts-expect-error -- plain JavaScript, which runs before anything is built
import { prometheusRule } from '../deploy/rules.mjs';

const read = (path: string) => readFileSync(join('deploy', path), 'utf8');
const yaml = (path: string): any => load(read(path));
const alerts: any[] = yaml('prometheus/rules.yaml').groups.flatMap((group: any) => group.rules);
const runbook = readFileSync('docs/runbook.md', 'utf8');
const dashboard = JSON.parse(read('grafana/recense.json'));
const queries: string[] = dashboard.panels.flatMap((panel: any) =>
  panel.targets.map(({ expr }: any) => expr),
);

describe('An alert', () => {
  it.each(alerts)('$alert has a severity, says what to do, and has its paragraph in the runbook', (rule) => {
    expect(['critical', 'warning']).toContain(rule.labels.severity);
    expect(rule.annotations).toEqual({
      summary: expect.stringMatching(/\. [A-Z].*\.$/), // what is so, and what to do
      description: expect.any(String),
      runbook_url: `docs/runbook.md#${rule.alert.toLowerCase()}`,
    });
    const paragraph = runbook.split(`\n### ${rule.alert}\n`)[1]?.split('\n#')[0];
    for (const part of ['For phones', 'Look first', 'Wake']) expect(paragraph).toContain(part);
    expect(paragraph).toMatch(/\*\*(Look first, do|Do):\*\*/);
  });

  it.each(alerts)('$alert is fired by a test, and stays silent in another', ({ alert, labels }) => {
    const cases: any[] = yaml('prometheus/rules.test.yaml').tests.filter(({ name }: any) =>
      new RegExp(`^${alert}\\b`).test(name),
    );
    const fired = cases.map(({ promql_expr_test: [{ exp_samples }] }) => exp_samples);
    const [itself] = fired.filter((samples) => samples.length > 0);
    expect(itself).toEqual([{ labels: `{alertname="${alert}",severity="${labels.severity}"}`, value: 1 }]);
    expect(fired).toContainEqual([]);
  });

  it('is in no paragraph of the runbook that is not one any more', () => {
    const named = [...runbook.matchAll(/^### (Recense\w+)$/gm)].map(([, name]) => name);
    expect(named).toEqual(alerts.map(({ alert }) => alert));
  });
});

describe('What is asked of Prometheus', () => {
  const asked = alerts.map(({ expr }) => expr as string).concat(queries);
  /** Of Prometheus itself, the kubelet, exporters and operators. */
  const foreign = /^(up$|probe_|certmanager_|kubelet_|node_filesystem_|cnpg_|barman_cloud_|patroni_|pg_)/;

  it('is there, where it is ours', async () => {
    const names = new Set(asked.flatMap((expr) => [...expr.matchAll(/(\w+)\{/g)].map(([, name]) => name!)));
    const ours = [...names].filter((name) => !foreign.test(name));
    expect(ours).toEqual(expect.arrayContaining(['database_pool_connections', 'live_listeners']));
    const test = await startApp({ DATABASE_REPLICA_URL: 'postgres://127.0.0.1:1/nobody' });
    await test.anonymous.get('//health/ready');
    const { text } = await test.anonymous.get('//metrics');
    await test.stop();
    const there = new Set([...text.matchAll(/^(\w+)[{ ]/gm)].map(([, name]) => name));
    expect(ours.filter((name) => !there.has(name))).toEqual([]);
  });

  it('names routes that there are', () => {
    const routes = asked.flatMap((expr) => [...expr.matchAll(/route="([^"]+)"/g)].map(([, route]) => route!));
    const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8'));
    expect(new Set(routes).size).toBeGreaterThan(2);
    expect(routes.filter((route) => !(route in paths))).toEqual([]);
  });

  it('is asked of the service alone, whose metrics have names that others have too', () => {
    const selectors = asked.flatMap((expr) => [...expr.matchAll(/(\w+)\{([^}]*)/g)]);
    for (const [selector, name] of selectors)
      if (!foreign.test(name!)) expect(selector).toContain('job="recense"');
  });

  it('comes from the data source that is chosen on the dashboard', () => {
    expect(dashboard.schemaVersion).toBeGreaterThan(30);
    expect(dashboard.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource' });
    for (const { datasource } of dashboard.panels) expect(datasource.uid).toBe('${datasource}');
    const ids = dashboard.panels.map(({ id }: any) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

/** The files of a folder of Kubernetes. */
const filesOf = (folder: string) =>
  readdirSync(join('deploy/kubernetes', folder)).filter((file) => file !== 'kustomization.yaml');
const folders = ['base', 'monitoring', 'small', 'production', 'restored'];
const known = [...readFileSync('src/config/env.ts', 'utf8').matchAll(/^ {2}([A-Z_]+)\b/gm)].map(
  ([, name]) => name!,
);

describe('deploy/kubernetes', () => {
  it('has the rules of Prometheus as they are: npm run rules', () => {
    const rule = read('kubernetes/monitoring/prometheus-rule.yaml');
    expect(rule).toBe(prometheusRule(read('prometheus/rules.yaml')));
    expect((load(rule) as any).spec.groups).toEqual(yaml('prometheus/rules.yaml').groups);
  });

  it.each(folders)('%s names what it has', (folder) => {
    const { resources = [], patches = [], components = [] } = yaml(`kubernetes/${folder}/kustomization.yaml`);
    const named: string[] = [...resources, ...components, ...patches.flatMap(({ path }: any) => path ?? [])];
    for (const name of named)
      expect([name, existsSync(join('deploy/kubernetes', folder, name))]).toEqual([name, true]);
    expect(named.filter((name) => !name.startsWith('../')).sort()).toEqual(filesOf(folder).sort());
  });

  it('sets only what there is to set', () => {
    for (const overlay of ['small', 'production']) {
      const { configMapGenerator } = yaml(`kubernetes/${overlay}/kustomization.yaml`);
      const settings = configMapGenerator[0].literals.map((literal: string) => literal.split('='));
      expect(settings.filter(([name]: [string]) => !known.includes(name))).toEqual([]);
      expect(() => loadEnv(Object.fromEntries(settings))).not.toThrow();
    }
    const { initContainers, containers } = yaml('kubernetes/base/deployment.yaml').spec.template.spec;
    for (const { env } of [...initContainers, ...containers]) {
      expect(env.map(({ name }: any) => name)).toEqual(['DATABASE_URL']);
      expect(env[0].valueFrom.secretKeyRef).toEqual({ name: 'recense-db-app', key: 'uri' });
    }
  });

  it('has long reads on replicas in production, by the password that CloudNativePG made', () => {
    const { patches } = yaml('kubernetes/production/kustomization.yaml');
    const added: any[] = patches
      .flatMap(({ patch }: any) => (patch ? load(patch) : []))
      .filter(({ path }: any) => path.endsWith('/env/-'))
      .map(({ value }: any) => value);
    expect(added.map(({ name }) => name)).toEqual([
      'DATABASE_USER',
      'DATABASE_PASSWORD',
      'DATABASE_REPLICA_URL',
    ]);
    const url = added[2].value.replace('$(DATABASE_USER)', 'recense').replace('$(DATABASE_PASSWORD)', 'a1B2');
    expect(loadEnv({ DATABASE_REPLICA_URL: url }).DATABASE_REPLICA_URL).toContain(
      '@recense-db-ro:5432/recense',
    );
  });

  it('gives the service no more than it needs', () => {
    const { spec } = yaml('kubernetes/base/deployment.yaml').spec.template;
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true },
    });
    for (const { securityContext, resources } of [...spec.initContainers, ...spec.containers]) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(resources).toMatchObject({
        requests: { memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
    }
    const [{ http }] = yaml('kubernetes/base/ingress.yaml').spec.rules;
    const outside: string[] = http.paths.map(({ path }: any) => path);
    expect(outside.filter((path) => '/metrics'.startsWith(path))).toEqual([]);
    for (const path of ['/api/v1/me', '/health/live', '/openapi.json', '/docs/guide', '/app', '/app/scan/7'])
      expect([path, outside.some((one) => path === one || path.startsWith(`${one}/`))]).toEqual([path, true]);
  });

  it('has time to end in, and connections for all instances at their most', () => {
    const { spec } = yaml('kubernetes/base/deployment.yaml').spec.template;
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(25);
    const { maxReplicas }: { maxReplicas: number } = yaml('kubernetes/production/autoscaler.yaml').spec;
    const most = (maxReplicas + 1) * (new Env().DATABASE_POOL + 5);
    for (const file of ['base', 'restored']) {
      const { parameters } = yaml(`kubernetes/${file}/database.yaml`).spec.postgresql;
      expect(Number(parameters.max_connections)).toBeGreaterThan(most);
    }
  });

  it('leaves room for nobody beside those whom the policies name', () => {
    const policies = loadAll(read('kubernetes/base/network.yaml')) as any[];
    expect(policies[0].spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    for (const { spec } of policies)
      for (const rule of spec.ingress ?? []) expect(rule.from.length).toBeGreaterThan(0);
  });
});

describe('deploy/compose.yaml', () => {
  const { services, secrets } = yaml('compose.yaml');
  const instances = ['recense-1', 'recense-2'];

  it('sets only what there is to set', () => {
    for (const instance of instances) {
      const names = Object.keys(services[instance].environment);
      expect(names.filter((name) => !known.includes(name))).toEqual([]);
      expect(services[instance].environment.DATABASE_URL).toBe('postgres://recense@database/recense');
    }
  });

  it('passes on whatever there is to set, but for what it sets or has no use for', () => {
    /** Where it listens and keeps its files, and what only clusters have or a proxy makes needless. */
    const apart = /^(PORT|HOST|DATA_DIR|DATABASE_REPLICA_URL|DATABASE_POOLER|MAX_CONNECTIONS_PER_ADDRESS)$/;
    const { environment } = services['recense-1'];
    expect(known.filter((name) => !(name in environment) && !apart.test(name))).toEqual([]);
    for (const [name, value] of Object.entries(environment))
      if (String(value).startsWith('$')) expect(value).toBe(`\${${name}:-}`);
    // An empty one is as good as none.
    const empty = Object.keys(environment).filter((name) => String(environment[name]).startsWith('$'));
    expect(loadEnv(Object.fromEntries(empty.map((name) => [name, ''])))).toEqual(loadEnv({}));
  });

  it('has no config for a service that nothing can be copied into', () => {
    for (const [name, { configs, read_only }] of Object.entries<any>(services))
      expect([name, configs !== undefined && read_only === true]).toEqual([name, false]);
  });

  it('opens no ports but those of the proxy, and gives each a limit and a check', () => {
    for (const [name, service] of Object.entries<any>(services)) {
      expect([name, 'ports' in service]).toEqual([name, name === 'proxy']);
      expect([name, service.healthcheck?.test?.length]).toEqual([name, expect.any(Number)]);
      expect(service.deploy.resources.limits).toMatchObject({
        cpus: expect.any(String),
        memory: expect.any(String),
      });
    }
  });

  it('has no password, and does not start before it was told where they are', () => {
    for (const { file } of Object.values<any>(secrets)) expect(file).toMatch(/^\$\{[A-Z_]+_FILE:\?.+\}$/);
    expect(read('compose.yaml')).not.toMatch(/PASSWORD: /);
  });

  it('has the service own its database as an ordinary role', () => {
    const { environment, volumes } = services.database;
    expect(environment.POSTGRES_USER).toBeUndefined(); // who is a superuser
    expect(volumes).toContain('./compose/database.sql:/docker-entrypoint-initdb.d/database.sql:ro');
    expect(read('compose/database.sql')).toMatch(/^CREATE ROLE recense LOGIN PASSWORD :'password';$/m);
    expect(read('compose/database.sql')).toMatch(/^ALTER DATABASE recense OWNER TO recense;$/m);
  });

  it('mounts what is there', () => {
    const mounted = Object.values<any>(services).flatMap(({ volumes = [] }) => volumes as string[]);
    const files = mounted.map((volume) => volume.split(':')[0]!).filter((path) => path.startsWith('./'));
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) expect([file, existsSync(join('deploy', file))]).toEqual([file, true]);
  });

  it('asks and scrapes every instance, and keeps its metrics inside', () => {
    const caddyfile = read('compose/Caddyfile');
    const targets = instances.map((instance) => `${instance}:3000`);
    expect(caddyfile).toContain(`reverse_proxy ${targets.join(' ')} {`);
    expect(caddyfile).toContain('@inside path /metrics /metrics/*');
    const { scrape_configs } = yaml('compose/prometheus.yml');
    expect(scrape_configs[0]).toMatchObject({ job_name: 'recense', static_configs: [{ targets }] });
  });
});
