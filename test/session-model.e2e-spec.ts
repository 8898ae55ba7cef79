import fc from 'fast-check';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { factories } from './support/factories.js';
import { History, history } from './support/session-history.js';
import type { Lane } from './support/session-history.js';
import type { Person } from './support/session-model.js';

const LANES = 4;
/** Thousands by hand. */
const HISTORIES = Number(process.env.SESSION_HISTORIES ?? 48);

let apps: [TestApp, TestApp];
let lanes: Lane[];
let people: Record<Person, { userId: number; clients: TestApp['anonymous'][] }>;

beforeAll(async () => {
  const first = await startApp();
  apps = [first, await startApp({}, first.database)];
  const make = factories(first);
  const article = (await make.article()).id;
  lanes = await Promise.all(
    Array.from({ length: LANES }, async () => {
      const [site, far] = await Promise.all([make.location(), make.location()]);
      const [a, b] = await Promise.all([1, 2].map(() => make.location({ parent_id: site.id })));
      return { article, places: { site: site.id, a: a.id, b: b.id, far: far.id } };
    }),
  );
  const person = async (login: string, role: string) => {
    const first = await apps[0].asNewUser(login, role); // one after the other, since both make the same user
    return { userId: first.userId, clients: [first, await apps[1].asNewUser(login, role)] };
  };
  people = { phone: await person('erwan', 'operator'), manager: await person('maelle', 'manager') };
});
afterAll(async () => {
  for (const app of apps.toReversed()) await app.stop();
});

describe('Whatever phones send, lose and send again, and whoever decides on it', () => {
  it(
    'a session says what the model says',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(history, { minLength: LANES, maxLength: LANES }), async (histories) => {
          const played = histories.map((steps, lane) => new History(apps, people, lanes[lane]!).play(steps));
          await Promise.allSettled(played);
          await Promise.all(played);
        }),
        { numRuns: Math.ceil(HISTORIES / LANES), endOnFailure: true },
      );
    },
    60_000 + HISTORIES * 1000,
  );
});
