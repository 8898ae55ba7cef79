import { isWalk } from './walk.js';
import { whole } from './whole.js';

describe('a walk', () => {
  it.each([
    {},
    { page: 1 },
    { page: 1, per_page: 200, sort: '-id' },
    { cursor: '' },
    { cursor: 'abc' },
    { cursor: '', per_page: 50 },
    { cursor: '', per_page: 200 },
    { cursor: '', sort: 'id' },
    { cursor: 'abc', sort: '-id', per_page: 200 },
  ])('is asked for by %j', (query) => expect(isWalk(query)).toBe(true));

  it.each([
    { page: 2 },
    { page: 1, cursor: '' },
    { per_page: 49 },
    { page: 1, search: 'a' },
    { cursor: '', per_page: 49 },
    { cursor: '', sort: 'code' },
    { cursor: '', sort: '-id', deleted: false },
    { cursor: '', updated_since: '2026-01-01T00:00:00Z' },
    { cursor: '', search: '' },
    { cursor: '', format: 'csv' as const },
  ])('is not asked for by %j', (query) => expect(isWalk(query)).toBe(false));

  it('is none where all of the list is read as a file', async () => {
    const isOne = () => Promise.resolve(isWalk({ cursor: '' }));
    await expect(whole.run({ after: null, isDone: false }, isOne)).resolves.toBe(false);
  });
});
