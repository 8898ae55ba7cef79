import { problems } from '../src/common/errors.js';
import { messages } from '../src/common/messages.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';

const placeholders = (text: string): string[] => [...new Set(text.match(/\{\d\}/g) ?? [])].sort();

describe('The table of messages', () => {
  it.each(Object.entries(messages))('is complete: %s', (_, texts) => {
    expect(texts).toHaveLength(2);
    const [english, french] = texts;
    expect(english).toMatch(/\S/);
    expect(french).toMatch(/\S/);
    expect(placeholders(french)).toEqual(placeholders(english));
  });

  it('has a title for every problem', () => {
    for (const code of Object.keys(problems)) expect(messages).toHaveProperty([`title-${code}`]);
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

  it('scan messages stay as they are', async () => {
    const manager = app.as('manager');
    const session = (await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-16' })).body
      .id;
    const { body } = await manager.send(
      'POST',
      `/inventories/${session}/scan`,
      { code: 'nothing' },
      { 'accept-language': 'en' },
    );
    expect(body.message).toBe('Code inconnu');
  });
});
