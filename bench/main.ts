import { Shutdown } from '../src/shutdown.js';
import { get, lookups, manyScans, scan, send } from './asks.js';
import type { Contestant } from './asks.js';
import { measureBrowsing } from './browsing.js';
import { Dataset } from './dataset.js';
import { fire } from './fire.js';
import type { Size } from './dataset.js';
import { IMPORTED, measureImporting } from './importing.js';
import { codeOf } from './load.js';
import { measureLong } from './long.js';
import { closing, measureOpening, opening } from './opening.js';
import type { Opening } from './opening.js';
import { HELP, readOptions } from './options.js';
import type { Options } from './options.js';
import { startPostgres } from './postgres.js';
import type { Postgres } from './postgres.js';
import { number } from './format.js';
import { nameOf, render } from './report.js';
import type { Results, Start } from './results.js';
import { measureResting } from './resting.js';
import { describeRun, save } from './save.js';
import { SCENARIOS } from './scenarios.js';
import { measureSending } from './sending.js';
import { SERVERS, Server } from './server.js';
import type { ServerName } from './server.js';
import { median, spread, takeArrivals, takeTurns } from './turns.js';
import { measureUploading } from './uploading.js';

const shutdown = new Shutdown('command');

/** Seconds for which a service that was just started is asked. */
const COLD_S = 10;
/** Requests a second. */
const RATES = [1000, 2000, 4000];
const OPEN_SERVERS: ServerName[] = ['http-bare', 'express-bare', 'http', 'express', 'recense'];

async function bench(options: Options): Promise<void> {
  const postgres = await startPostgres(shutdown, options.folder);
  const results: Results = { compared: {}, growth: {}, past: {} };
  const measured = (options.growth ? grow : options.open ? atRates : compare)(postgres, options, results);
  for await (const name of measured) {
    console.error(`${new Date().toLocaleTimeString('en-GB')} ${name}`);
    if (!options.dryRun) await save(results);
  }
  console.log(render(results));
}

/** The servers on one database. Tells what it has measured. */
async function* compare(postgres: Postgres, options: Options, results: Results): AsyncGenerator<string> {
  const run = describeRun(postgres, options);
  const data = await prepareData(postgres, { purchases: options.purchases, closed: 0 });
  if (isAsked(options, 'start')) {
    results.start = { run, ...(await measureStart(postgres, data, options)) };
    yield 'start';
  }
  const scenarios = SCENARIOS.filter(({ name }) => isAsked(options, name));
  const contestants = new Map<ServerName, Contestant>();
  for (const name of new Set(scenarios.flatMap(({ servers }) => servers))) {
    const server = await Server.start(name, data, postgres.folder, shutdown);
    contestants.set(name, { name: SERVERS[name], server, data });
  }
  await compareAnswers([...contestants.values()]);
  const recense = contestants.get('recense');
  for (const scenario of scenarios) {
    const those = scenario.servers.map((name) => contestants.get(name)!);
    results.compared[scenario.name] = { run, cases: await takeTurns(scenario, those, recense!, options) };
    yield scenario.name;
  }
  if (isAsked(options, 'browser')) {
    const server = recense?.server ?? (await Server.start('recense', data, postgres.folder, shutdown));
    const browsed = { name: SERVERS.recense, server, data };
    results.browsing = { run, measured: await measureBrowsing(browsed, options.rounds) };
    yield 'browser';
  }
  if (!isAsked(options, 'import')) return;
  // Last, since it adds to the purchases of the others.
  await data.endSessions();
  const server = recense?.server ?? (await Server.start('recense', data, postgres.folder, shutdown));
  const importer = { name: SERVERS.recense, server, data };
  results.importing = { run, sizes: [] };
  for (const lines of IMPORTED) {
    results.importing.sizes.push(await measureImporting(postgres, importer, lines));
    yield `import, ${number(lines)} lines`;
  }
}

/** The servers on one database, asked at fixed rates. */
async function* atRates(postgres: Postgres, options: Options, results: Results): AsyncGenerator<string> {
  const data = await prepareData(postgres, { purchases: options.purchases, closed: 0 });
  const contestants: Contestant[] = [];
  for (const name of OPEN_SERVERS)
    contestants.push({
      name: SERVERS[name],
      server: await Server.start(name, data, postgres.folder, shutdown),
      data,
    });
  await compareAnswers(contestants);
  results.open = { run: describeRun(postgres, options), cases: [] };
  for (const [title, asks] of Object.entries({ 'look up a code': lookups, 'scan a code': manyScans }))
    for (const rate of RATES) {
      const standings = await takeArrivals(contestants, ({ data: own }, seconds) => asks(own, seconds), {
        ...options,
        rate,
      });
      results.open.cases.push({ title, rate, standings });
      yield `${title}, ${number(rate)} a second`;
    }
}

/** The service on databases of several sizes. Tells what it has measured. */
async function* grow(postgres: Postgres, options: Options, results: Results): AsyncGenerator<string> {
  const run = describeRun(postgres, options);
  const contestants: Contestant[] = [];
  for (const size of options.sizes) {
    const data = await prepareData(postgres, size);
    const server = await Server.start('recense', data, postgres.folder, shutdown);
    contestants.push({ name: nameOf(size), server, data });
  }
  const growth = options.sizes.some(({ closed }) => closed > 0) ? results.past : results.growth;
  for (const scenario of SCENARIOS.filter(({ name }) => isAsked(options, name))) {
    const cases = await takeTurns(scenario, contestants, contestants[0]!, options);
    growth[scenario.name] = { run, cases };
    yield scenario.name;
  }
  if (isAsked(options, 'long')) {
    results.long = { run, sizes: [] };
    for (const contestant of contestants) {
      const answers = await measureLong(contestant, options.rounds);
      results.long.sizes.push({ name: contestant.name, answers });
      yield `long answers, ${contestant.name} purchases`;
    }
  }
  if (isAsked(options, 'uploads')) {
    results.uploading = { run, sizes: [] };
    for (const contestant of contestants) {
      results.uploading.sizes.push(await measureUploading(contestant, options.rounds));
      yield `uploads, ${contestant.name} purchases`;
    }
  }
  if (isAsked(options, 'webhooks')) {
    results.sending = { run, sizes: [] };
    for (const contestant of contestants) {
      results.sending.sizes.push(await measureSending(contestant, options));
      yield `webhooks, ${contestant.name} purchases`;
    }
  }
  for (const [name, prepare] of Object.entries({ opening, closing })) {
    if (!isAsked(options, name)) continue;
    const { sizes } = (results[name as 'opening' | 'closing'] = { run, sizes: [] as Opening[] });
    for (const contestant of contestants) {
      sizes.push(await measureOpening(contestant, options, prepare));
      yield `${name}, ${contestant.name} purchases`;
    }
  }
  if (!isAsked(options, 'memory')) return;
  results.resting = { run, sizes: [] };
  for (const { name, data } of contestants) {
    const server = await Server.start('recense', data, postgres.folder, shutdown);
    results.resting.sizes.push(await measureResting({ name, data, server }, options));
    await server.stop();
    yield `memory, ${name} purchases`;
  }
}

const isAsked = ({ scenarios }: Options, name: string) => scenarios.length === 0 || scenarios.includes(name);

async function prepareData(postgres: Postgres, size: Size): Promise<Dataset> {
  const data = await Dataset.make(postgres, size, shutdown);
  console.error(`${nameOf(size)} purchases in ${number(data.loaded, 1)} s`);
  return data;
}

async function measureStart(
  postgres: Postgres,
  data: Dataset,
  { rounds, connections }: Options,
): Promise<Omit<Start, 'run'>> {
  const seconds: number[] = [];
  const cold: number[][] = [];
  for (let round = 0; round < rounds; round++) {
    await data.settle();
    const began = performance.now();
    const server = await Server.start('recense', data, postgres.folder, shutdown);
    seconds.push((performance.now() - began) / 1000);
    cold.push((await fire(server.url, lookups(data), { connections, duration: COLD_S })).each);
    await server.stop();
  }
  const inSecond = (_: number, at: number) => median(cold.map((each) => each[at]!));
  return { seconds: spread(seconds), cold: cold[0]!.map(inSecond) };
}

/** They compete only if they give the same answers, character by character but for when and by which phone. */
async function compareAnswers(contestants: Contestant[]): Promise<void> {
  const compare = async (answerOf: (at: Contestant) => Promise<string>, those = contestants) => {
    const answers = await Promise.all(those.map(answerOf));
    if (new Set(answers).size > 1) throw new Error(`Different answers: ${answers.join('\n')}`);
  };
  for (const purchase of [1, 2, 3]) await compare((at) => get(at, `/scan/${codeOf(purchase)}`));
  const sessions = new Map<Contestant, number>();
  for (const contestant of contestants) sessions.set(contestant, await contestant.data.openSession());
  const scanAs = (status: string) => async (at: Contestant) => {
    const answer = await send(at, scan(at.data, sessions.get(at)!, codeOf(1), status));
    return answer.replace(/"\d{4}-\d\d-\d\dT[^"]+"|"scan_id":\d+|"id":\d+,"name":"Phone \d+"/g, '…');
  };
  await compare(scanAs('success'));
  // Nest with TypeORM does not take part in that.
  await compare(
    scanAs('warning'),
    contestants.filter(({ name }) => name !== SERVERS.nest),
  );
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options) await bench(options);
  else console.log(HELP);
  await shutdown.end(0);
} catch (error) {
  await shutdown.fail(error);
}
