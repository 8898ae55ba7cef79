import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IN_ROOMS = ['web', 'docs', 'clients', 'bench'];

/** What people read: the pages of the root and of the folders that have some. */
const pages = readdirSync('.')
  .concat(
    IN_ROOMS.flatMap((room) =>
      readdirSync(room, { recursive: true, encoding: 'utf8' }).map((file) => join(room, file)),
    ),
  )
  .filter((file) => file.endsWith('.md') && !/node_modules|\.venv|target/.test(file));

const withoutCode = (page: string): string =>
  readFileSync(page, 'utf8')
    .replace(/^ *```.*?^ *```$/gms, '')
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ''));

/** The anchors of the headings, as forges make them. */
const anchorsOf = (page: string): string[] =>
  [...withoutCode(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The relative links and pictures of a page. */
const linksOf = (page: string): string[] =>
  [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map((link) => link[1]!)
    .filter((link) => !/^[a-z]+:/.test(link));

const scriptsOf = (folder: string): string[] =>
  Object.keys(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts);

describe('The pages that people read', () => {
  it.each(pages)('%s: every link leads somewhere', (page) => {
    const broken = linksOf(page).filter((link) => {
      const [file, anchor] = link.split('#') as [string, string?];
      const target = file ? join(dirname(page), decodeURIComponent(file)) : page;
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it.each(pages)('%s: every script of npm that it names is there', (page) => {
    const named = [...readFileSync(page, 'utf8').matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(
      (match) => match[1]!,
    );
    expect(named.filter((script) => !scriptsOf('.').includes(script))).toEqual([]);
  });

  it('name every room of the source', () => {
    const text = readFileSync('docs/development.md', 'utf8');
    const rooms = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(rooms.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}/`).test(text))).toEqual([]);
  });

  it('are each named by another, from the README on', () => {
    const reached = new Set(['README.md']);
    for (const page of reached)
      for (const link of linksOf(page)) {
        const target = join(dirname(page), link.split('#')[0]!);
        if (target.endsWith('.md')) reached.add(target);
      }
    expect([...reached].sort()).toEqual([...pages].sort());
  });

  it('have a picture that is quickly there', () => {
    expect(statSync('docs/swagger-ui.png').size).toBeLessThan(150_000);
  });
});
