import type { FunctionComponent } from 'preact';

/** What a page is told of its address: `/missing/3` is that of the session 3. */
export interface PageProps {
  id: number;
}

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
    permission: 'inventories.scan',
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
];
