import type { FunctionComponent } from 'preact';
import type { PageProps } from './shared/router.js';

interface Route {
  pattern: RegExp;
  /** Without it nobody is shown the page. */
  permission?: string;
  load: () => Promise<FunctionComponent<PageProps>>;
}

/** Each page is loaded when it is first opened. */
export const routes: Route[] = [
  {
    pattern: /^\/$/,
    permission: 'inventories.view',
    load: async () => (await import('./sessions/sessions.js')).Sessions,
  },
  {
    pattern: /^\/scan\/\d+$/,
    permission: 'inventories.scan',
    load: async () => (await import('./scanning/scan.js')).Scan,
  },
  {
    pattern: /^\/queue$/,
    load: async () => (await import('./queue/queue.js')).Queue,
  },
  {
    pattern: /^\/board\/\d+$/,
    permission: 'inventories.view',
    load: async () => (await import('./board/board.js')).Board,
  },
  {
    pattern: /^\/imports$/,
    permission: 'imports.run',
    load: async () => (await import('./imports/imports.js')).Imports,
  },
  {
    pattern: /^\/sessions\/new$/,
    permission: 'inventories.create',
    load: async () => (await import('./sessions/open.js')).OpenSession,
  },
  {
    pattern: /^\/sessions\/\d+$/,
    permission: 'inventories.view',
    load: async () => (await import('./sessions/session.js')).Session,
  },
  {
    pattern: /^\/missing\/\d+$/,
    permission: 'inventories.view',
    load: async () => (await import('./missing/missing.js')).Missing,
  },
  {
    pattern: /^\/review\/\d+$/,
    permission: 'inventories.review',
    load: async () => (await import('./review/review.js')).Review,
  },
  {
    pattern: /^\/register\/\d+$/,
    permission: 'purchases.view',
    load: async () => (await import('./register/card.js')).Card,
  },
  {
    pattern: /^\/register$/,
    permission: 'purchases.view',
    load: async () => (await import('./register/register.js')).Register,
  },
  {
    pattern: /^\/labels$/,
    permission: 'purchases.view',
    load: async () => (await import('./labels/labels.js')).Labels,
  },
  {
    pattern: /^\/register\/new$/,
    permission: 'purchases.create',
    load: async () => (await import('./register/edit.js')).NewThing,
  },
  {
    pattern: /^\/register\/edit\/\d+$/,
    permission: 'purchases.update',
    load: async () => (await import('./register/edit.js')).EditThing,
  },
];
