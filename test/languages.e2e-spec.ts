import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { problems } from '../src/common/problems.js';
import type { Message, Messages } from '../src/common/messages.js';
import { factories } from './support/factories.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';

const root = join(import.meta.dirname, '..', 'src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' });

/** Every sentence that a client may read, by room and name. */
async function sentences(): Promise<[name: string, message: Message][]> {
  const rooms = files.filter((file) => file.endsWith('.messages.ts'));
  const named = await Promise.all(
    rooms.map(async (file) => {
      const exported = (await import(join(root, file))) as Record<string, Messages>;
      return Object.entries(exported).flatMap(([room, messages]) =>
        Object.entries(messages).map(([name, message]): [string, Message] => [`${room}.${name}`, message]),
      );
    }),
  );
  const ofProblems = Object.entries(problems).flatMap(([code, { title, detail }]): [string, Message][] => [
    [`title of ${code}`, title],
    [`detail of ${code}`, detail],
  ]);
  return [...named.flat(), ...ofProblems];
}

const placeholders = (text: string): string[] => [...new Set(text.match(/\{\d\}/g) ?? [])].sort();

describe('The sentences of all rooms', () => {
  it('stand in both languages, with the same gaps to fill in', async () => {
    for (const [name, message] of await sentences()) {
      const [english, french] = message;
      expect([name, message.length, /\S/.test(english), /\S/.test(french)]).toEqual([name, 2, true, true]);
      expect([name, placeholders(french)]).toEqual([name, placeholders(english)]);
    }
  });

  it('are each said somewhere, and written once', async () => {
    const code = files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n');
    const all = await sentences();
    const unsaid = all
      .map(([name]) => name)
      .filter((name) => /^\w+\.\w+$/.test(name) && !code.includes(name));
    expect(unsaid).toEqual([]);
    const [english, french] = [0, 1].map((language) => all.map(([, message]) => message[language]));
    expect(english).toHaveLength(new Set(english).size);
    expect(french).toHaveLength(new Set(french).size);
  });

  it('use the typographic apostrophe in French', async () => {
    for (const [name, [, french]] of await sentences())
      expect([name, french]).toEqual([name, expect.not.stringMatching(/'/)]);
  });
});

describe('Problems', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.stop());

  const invalid = (language?: string) =>
    app
      .as('manager')
      .send(
        'POST',
        '/articles',
        { name: '', brand_id: 'x' },
        language === undefined ? {} : { 'accept-language': language },
      );

  it('are in French where the client prefers it', async () => {
    const { body, headers } = await invalid('fr-CA,fr;q=0.9,en;q=0.5');
    expect(body).toMatchObject({
      type: '/problems/validation-failed',
      title: 'Champs non valides',
      detail: 'Certains champs ne sont pas valides ; voir errors.',
      errors: { name: ['ne doit pas être vide'], brand_id: ['doit être un nombre entier de 1 à 2147483647'] },
    });
    expect(headers.get('content-language')).toBe('fr');
    expect(headers.get('vary')).toBe('Accept-Language');
  });

  it.each([undefined, 'en', 'en-GB,fr;q=0.3', 'de', '*', 'fr;q=0', 'x'.repeat(1000), ',;q=,'])(
    'are in English otherwise: %s',
    async (language) => {
      const { body, headers } = await invalid(language);
      expect(body.title).toBe('Validation failed');
      expect(body.errors.name).toEqual(['must not be empty']);
      expect(headers.get('content-language')).toBe('en');
    },
  );

  it('name what is not there', async () => {
    const french = { 'accept-language': 'fr' };
    const details = await Promise.all(
      [
        '/articles/9',
        '/purchases/9',
        '/suppliers/9',
        '/locations/9',
        '/brands/9',
        '/inventories/9',
        '/equipments/9',
        '/tiers/9',
      ].map(async (path) => (await app.as('viewer').get(path, french)).body.detail),
    );
    expect(details).toEqual([
      'Cet article n’existe pas.',
      'Cet achat n’existe pas.',
      'Ce fournisseur n’existe pas.',
      'Ce lieu n’existe pas.',
      'Cet élément n’existe pas.',
      'Cet inventaire n’existe pas.',
      'Cet équipement n’existe pas.',
      'Ce tiers n’existe pas.',
    ]);
  });

  it('before Nest’s routes too: 404, 405 and a malformed body', async () => {
    const titles = await Promise.all([
      app.anonymous.get('/nothing', { 'accept-language': 'fr' }),
      app.anonymous.send('PUT', '/articles', undefined, { 'accept-language': 'fr' }),
      app.anonymous.send('POST', '/login', '{', { 'accept-language': 'fr' }),
    ]);
    expect(titles.map(({ body }) => body.title)).toEqual([
      'Introuvable',
      'Méthode non autorisée',
      'Corps mal formé',
    ]);
  });

  it.each(['fr-CA,en', 'en;q=0.8,fr', 'FR ; q=1.0, en ; q=0.9'])(
    'in the one named first: %s',
    async (language) => expect((await invalid(language)).headers.get('content-language')).toBe('fr'),
  );
});

describe('Messages of scans', () => {
  let app: TestApp;
  let session: number;
  let code: string;
  beforeAll(async () => {
    app = await startApp();
    ({ code } = await factories(app).purchase());
    session = (await app.as('manager').post('/inventories', { year: 2026, inventory_date: '2026-11-16' }))
      .body.id;
  });
  afterAll(() => app.stop());

  async function scan(scanned: string, language?: string) {
    const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language };
    const path = `/inventories/${session}/scan`;
    const { body } = await app.as('manager').send('POST', path, { code: scanned }, headers);
    return [body.status, body.reason, body.message];
  }

  it.each([undefined, 'fr', 'de', '*', 'fr-FR,fr;q=0.9,en;q=0.8', 'fr-CA,en', 'en;q=0', 'xx,;q=1'])(
    'are in French: %s',
    async (language) =>
      expect(await scan('nothing', language)).toEqual(['error', 'unknown-code', 'Code inconnu']),
  );

  it.each(['en', 'en-GB,fr', 'en-US,en;q=0.9,fr;q=0.8', 'de,en;q=0.1', 'fr;q=0.5, EN'])(
    'are in English where it is named before French: %s',
    async (language) =>
      expect(await scan('nothing', language)).toEqual(['error', 'unknown-code', 'Unknown code']),
  );

  it('name each reason, in both languages', async () => {
    expect(await scan(code, 'en')).toEqual(['success', 'recorded', 'Article added']);
    expect(await scan(code, 'en')).toEqual(['warning', 'already-scanned', 'Already scanned']);
    expect(await scan(code, 'fr')).toEqual(['warning', 'already-scanned', 'Déjà scanné']);
    await app.as('manager').post(`/inventories/${session}/close`);
    expect(await scan(code, 'en')).toEqual(['error', 'session-closed', 'Session closed']);
    expect(await scan(code, 'fr')).toEqual(['error', 'session-closed', 'Inventaire clôturé']);
  });
});
