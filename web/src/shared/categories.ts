import { pages } from '@recense/client';
import type { CategoryDto } from '@recense/client';
import { api } from './api.js';
import { orKept } from './load.js';

/** All categories by name, also without a network once they were read. */
export const readCategories = (): Promise<CategoryDto[]> => orKept('categories', readAll);

async function readAll(): Promise<CategoryDto[]> {
  const all: CategoryDto[] = [];
  const list = pages((cursor) =>
    api.GET('/api/v1/categories', { params: { query: { cursor, per_page: 200, sort: 'name' } } }),
  );
  for await (const { data } of list) all.push(...(data as CategoryDto[]));
  return all;
}
