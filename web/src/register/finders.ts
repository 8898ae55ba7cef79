import { unwrap } from '@recense/client';
import { api } from '../shared/api.js';
import { t } from '../shared/texts.js';

export interface Found {
  id: number;
  name: string;
}

/** A new thing has only what is active; things are looked for by all that they may have. */
export interface Only {
  is_active?: true;
}

/** How one looks for what a purchase refers to, and what one of them is called. */
export interface Finder {
  find: (search: string, only: Only) => Promise<Found[]>;
  name: (id: number) => Promise<string>;
}

export const SHOWN = 30;
/** One more says that there are more. */
const ASKED = SHOWN + 1;
const wanted = (search: string, only: Only = {}) => ({
  params: { query: { search, per_page: ASKED, ...only } },
});
const one = (id: number) => ({ params: { path: { id } } });
const withReference = ({ id, name, reference }: Found & { reference: string | null }): Found => ({
  id,
  name: [name, reference].filter(Boolean).join(' · '),
});

export const finders = {
  article_id: {
    find: async (search, only) =>
      (await unwrap(api.GET('/api/v1/articles', wanted(search, only)))).data.map(withReference),
    name: async (id) => withReference(await unwrap(api.GET('/api/v1/articles/{id}', one(id)))).name,
  },
  supplier_id: {
    find: async (search, only) =>
      (await unwrap(api.GET('/api/v1/suppliers', wanted(search, only)))).data.map(withReference),
    name: async (id) => (await unwrap(api.GET('/api/v1/suppliers/{id}', one(id)))).name,
  },
  location_id: {
    find: async (search, only) => {
      const query = { search, per_page: ASKED, sort: 'path', ...only } as const;
      const { data } = await unwrap(api.GET('/api/v1/locations', { params: { query } }));
      return data.map(({ id, path }) => ({ id, name: path }));
    },
    name: async (id) => (await unwrap(api.GET('/api/v1/locations/{id}', one(id)))).path,
  },
  category_id: {
    find: async (search) => (await unwrap(api.GET('/api/v1/categories', wanted(search)))).data,
    name: async (id) => (await unwrap(api.GET('/api/v1/categories/{id}', one(id)))).name,
  },
  assigned_tier_id: {
    find: async (search, only) =>
      (await unwrap(api.GET('/api/v1/tiers', wanted(search, only)))).data.map(withReference),
    name: async (id) => (await unwrap(api.GET('/api/v1/tiers/{id}', one(id)))).name,
  },
} satisfies Record<string, Finder>;

export type Reference = keyof typeof finders;

/** What a reference is called, and who may look for it. */
export const references: Record<Reference, { text: () => string; permission: string }> = {
  article_id: { text: () => t('thing.article'), permission: 'articles.view' },
  location_id: { text: () => t('thing.place'), permission: 'locations.view' },
  category_id: { text: () => t('thing.category'), permission: 'reference.view' },
  supplier_id: { text: () => t('thing.supplier'), permission: 'suppliers.view' },
  assigned_tier_id: { text: () => t('thing.assigned'), permission: 'tiers.view' },
};
