import * as ask from './asks.js';
import { BATCHES } from './batching.js';
import { SCANNED_EVERY } from './dataset.js';
import { follow } from './following.js';
import { codeOf } from './load.js';
import type { ServerName } from './server.js';
import type { Prepare, Scenario } from './turns.js';

const ALL: ServerName[] = ['http-bare', 'express-bare', 'http', 'express', 'nest', 'recense'];
const SERVICE: ServerName[] = ['recense'];
const PER_PAGE = 50;
const LISTENERS = 500;
/** Inside words of the articles' names; each fills a page of ten whatever the number of articles. */
const TERMS = ['abl', 'ati', 'enc', 'cas', 'eri', 'tro', 'rol'];

/** The 5 000th page; of a list that is not as long, the one 90 % through. */
const deepPage = (rows: number) => Math.max(2, Math.min(5000, Math.floor((0.9 * rows) / PER_PAGE)));
const unscannedRows = (purchases: number) => Math.floor(purchases - purchases / SCANNED_EVERY);

export const SCENARIOS: Scenario[] = [
  {
    name: 'scan-lookup',
    what: 'GET /scan/{code}, any code',
    servers: ALL,
    cases: { 'look up a code': ({ data }) => ask.lookups(data) },
  },
  {
    name: 'scan',
    what: 'POST /inventories/{id}/scan, each code once',
    servers: ALL,
    cases: { 'scan a code': ({ data }, seconds) => ask.scans(data, seconds) },
  },
  {
    name: 'scan-repeat',
    what: 'POST /inventories/{id}/scan, codes that are scanned already',
    servers: ['express', 'recense'],
    cases: {
      'scan a code again': async ({ data }) => {
        const session = await data.readSession();
        const scanned = Math.floor(data.purchases / SCANNED_EVERY);
        const any = () => SCANNED_EVERY * (1 + Math.floor(Math.random() * scanned));
        return { next: () => ask.scan(data, session, codeOf(any()), 'warning') };
      },
    },
  },
  ...BATCHES,
  {
    name: 'progress',
    what: 'GET /inventories/{id}, beside 16 scanners',
    servers: SERVICE,
    cases: {
      'progress of a session, beside 16 scanners': async ({ data }, seconds) => {
        const scanners = await ask.manyScans(data, seconds);
        const next = () => ask.progress(data, scanners.session());
        return { next, beside: { ...scanners, connections: 16 } };
      },
    },
  },
  {
    name: 'progress-by',
    what: 'GET /inventories/{id}/progress, of a session that is scanned in, over one connection',
    servers: SERVICE,
    connections: 1,
    cases: Object.fromEntries(
      ['category', 'location&depth=2', 'user', 'day', 'hour'].map((by): [string, Prepare] => [
        `progress by ${by}, beside a scanner`,
        (at) => ask.progressBy(at, by),
      ]),
    ),
  },
  {
    name: 'following',
    what: 'POST /inventories/{id}/scan, beside GET /inventories/{id}/events of the session',
    servers: SERVICE,
    isCompared: true,
    cases: {
      'scan a code, nobody follows': ({ data }, seconds) => ask.scans(data, seconds),
      [`scan a code, ${LISTENERS} follow`]: async (at, seconds) => {
        const scans = await ask.scans(at.data, seconds);
        return { ...scans, end: await follow(at, scans.session(), LISTENERS) };
      },
    },
  },
  {
    name: 'changes',
    what: 'GET /inventories/{id}/pack?updated_since=, over one connection',
    servers: SERVICE,
    connections: 1,
    cases: {
      'what has changed since a pack': async (at) => {
        const session = await at.data.readSession();
        const [head] = (await ask.get(at, `/inventories/${session}/pack`)).split('\n', 1);
        const { synced_until: since } = JSON.parse(head!) as { synced_until: string };
        return ask.packs(at, `?updated_since=${since}`);
      },
    },
  },
  {
    name: 'unscanned',
    what: 'GET /inventories/{id}/unscanned, by cursor',
    servers: SERVICE,
    cases: {
      'what is missing, first page': async (at) =>
        ask.pages(at, [`/inventories/${await at.data.readSession()}/unscanned?cursor=`]),
      'what is missing, page 5 000, or 90 % through': async (at) => {
        const path = `/inventories/${await at.data.readSession()}/unscanned`;
        const page = deepPage(unscannedRows(at.data.purchases));
        return ask.pages(at, [`${path}?cursor=${await ask.cursorOf(at, path, page)}`]);
      },
    },
  },
  {
    name: 'purchases-page',
    what: 'GET /purchases, by cursor',
    servers: SERVICE,
    cases: {
      'purchases, first page': (at) => ask.pages(at, ['/purchases?cursor=']),
      'purchases, page 5 000, or 90 % through': async (at) => {
        const cursor = await ask.cursorOf(at, '/purchases', deepPage(at.data.purchases));
        return ask.pages(at, [`/purchases?cursor=${cursor}`]);
      },
    },
  },
  {
    name: 'scans-page',
    what: 'GET /inventories/{id}/scans, by cursor',
    servers: SERVICE,
    cases: {
      'scans, first page': async (at) =>
        ask.pages(at, [`/inventories/${await at.data.readSession()}/scans?cursor=`]),
      'scans, page 5 000, or 90 % through': async (at) => {
        const path = `/inventories/${await at.data.readSession()}/scans`;
        const page = deepPage(at.data.purchases / SCANNED_EVERY);
        return ask.pages(at, [`${path}?cursor=${await ask.cursorOf(at, path, page)}`]);
      },
    },
  },
  {
    name: 'articles-page',
    what: 'GET /articles, by cursor',
    servers: SERVICE,
    cases: { 'articles, first page': (at) => ask.pages(at, ['/articles?cursor=']) },
  },
  {
    name: 'gzip',
    what: 'GET /purchases, pages of 200, over one connection, as they are and in gzip',
    servers: SERVICE,
    connections: 1,
    cases: {
      'purchases, 200 a page': (at) => ask.pages(at, ['/purchases?per_page=200&cursor=']),
      'purchases, 200 a page, in gzip': async (at) =>
        ask.inGzip(await ask.pages(at, ['/purchases?per_page=200&cursor='])),
    },
  },
  {
    name: 'search',
    what: 'GET /articles?search=, three letters inside a word',
    servers: SERVICE,
    cases: {
      'search articles, ten a page': (at) => {
        const paths = TERMS.map((term) => `/articles?search=${term}&per_page=10&cursor=`);
        return ask.pages(at, paths);
      },
    },
  },
  {
    name: 'page-mode',
    what: 'lists by page number, over one connection',
    servers: SERVICE,
    connections: 1, // what is missing of a million, and what is searched for, is counted: more would run into the time limit
    cases: {
      'purchases, page=1': (at) => ask.pages(at, ['/purchases?page=1']),
      'purchases, page=5000, or 90 % through': (at) =>
        ask.pages(at, [`/purchases?page=${deepPage(at.data.purchases)}`]),
      'what is missing, page=1': async (at) =>
        ask.pages(at, [`/inventories/${await at.data.readSession()}/unscanned?page=1`]),
      'search articles, page=1, ten a page': (at) => {
        const paths = TERMS.map((term) => `/articles?search=${term}&per_page=10&page=1`);
        return ask.pages(at, paths);
      },
    },
  },
  {
    name: 'login',
    what: 'POST /login, bound by argon2',
    servers: SERVICE,
    cases: {
      'log in': ({ data }) => {
        const { logins, password } = data;
        const accepts = (answer: string) => answer.startsWith('{"token_type":"Bearer"');
        let turn = 0;
        const login = () => logins[turn++ % logins.length]!;
        return { next: () => ask.post(data, '/login', { login: login(), password }, accepts) };
      },
    },
  },
  {
    name: 'campaign',
    what: '70 % scans, 15 % lookups, 10 % progress, 5 % lists',
    servers: SERVICE,
    cases: {
      'a campaign': ({ data }, seconds) => ask.campaign(data, seconds),
    },
  },
];
