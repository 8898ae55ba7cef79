import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PASSWORD, startApp } from '../support/app.js';
import type { TestApp } from '../support/app.js';
import { factories } from '../support/factories.js';
import { startTomorrow } from '../support/tomorrow.js';

const TIMEOUT = 600_000;
const root = join(import.meta.dirname, '../..');

type Command = [folder: string, command: string, ...args: string[]];

/** Each command begins in the folder of its client. */
const CLIENTS: Record<string, { generate: Command; check: Command; run: Command }> = {
  kotlin: {
    generate: [
      'clients/kotlin', 'java', '-jar', 'target/openapi-generator-cli-7.23.0.jar', 'generate',
      '-i', '../../openapi.json', '-g', 'kotlin', '-o', 'target/client', '-p', 'packageName=org.example.recense',
    ], // prettier-ignore
    check: ['clients/kotlin', 'mvn', '-B', '-q', 'compile'],
    run: ['clients/kotlin', 'java', '-cp', 'target/classes:target/dependency/*', 'CampaignKt'],
  },
  python: {
    generate: [
      'clients/python', '.venv/bin/openapi-python-client', 'generate', '--path', '../../openapi.json',
      '--meta', 'none', '--output-path', 'recense_client', '--overwrite', '--config', 'generator.yml',
    ], // prettier-ignore
    check: ['clients/python', '.venv/bin/mypy', 'campaign.py'],
    run: ['clients/python', '.venv/bin/python', 'campaign.py'],
  },
};

const STEPS = [
  'logs in',
  'catches up with a list',
  'creates a purchase with a price',
  'scans it',
  'gets a 401 as a typed problem',
  'gets a 404 as a typed problem',
  'lives on with words that it does not know',
];

const chosen = process.env.RECENSE_CLIENT?.split(',') ?? Object.keys(CLIENTS);

describe.each(chosen)('The generated client in %s', (name) => {
  const { generate, check, run } = CLIENTS[name]!;
  let app: TestApp;
  let tomorrow: Awaited<ReturnType<typeof startTomorrow>>;
  let said = '';

  beforeAll(async () => {
    app = await startApp();
    tomorrow = await startTomorrow(app.url);
    const { purchase, tier } = factories(app);
    for (let count = 0; count < 3; count++) await purchase();
    await tier();
  });
  afterAll(async () => {
    await tomorrow.stop();
    await app.stop();
  });

  async function execute([folder, command, ...args]: Command, env: Record<string, string> = {}) {
    const options = { cwd: join(root, folder), env: { ...process.env, ...env } };
    const ended = promisify(execFile)(command, args, { ...options, maxBuffer: 1 << 26 });
    // Compilers say what is wrong where nobody looks for errors.
    const { stdout } = await ended.catch((error: unknown) => {
      const { message, stdout } = error as Error & { stdout: string };
      throw new Error(`${message}\n${stdout}`);
    });
    return stdout;
  }

  it('is made by the generator', () => expect(execute(generate)).resolves.not.toMatch(/\berror\b/i), TIMEOUT);

  it('has no error of types', () => expect(execute(check)).resolves.not.toMatch(/\berror\b/i), TIMEOUT);

  it(
    'runs to the end',
    async () => {
      said = await execute(run, {
        RECENSE_URL: app.url,
        RECENSE_TOMORROW_URL: tomorrow.url,
        RECENSE_LOGIN: 'manager',
        RECENSE_PASSWORD: PASSWORD,
      });
    },
    TIMEOUT,
  );

  it.each(STEPS)('%s', (step) => expect(said.split('\n')).toContain(`ok: ${step}`));
});
