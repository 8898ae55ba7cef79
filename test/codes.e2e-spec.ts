import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { EpcUris1763600193000 } from '../migrations/1763600193000-epc-uris.js';
import { migrate, undoMigration } from '../src/database/migrate.js';
import { migrations } from '../src/database/migrations.js';
import { readEpc } from '../src/purchases/epc.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { factories, idsOf, refused } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { importText } from './support/import.js';

let app: TestApp;
let make: Factories;
let article_id: number;
const get = (path: string) => app.as('viewer').get(path);
const post = (fields: object) =>
  app.as('manager').post('/purchases', { article_id, purchase_date: '2026-01-15', ...fields });
const patch = (id: number, body: object) => app.as('manager').patch(`/purchases/${id}`, body);
/** The id of the purchase that a scanned text means. */
const found = async (text: string) => (await get(`/scan/${encodeURIComponent(text)}`)).body.id as number;

beforeAll(async () => {
  app = await startApp();
  make = factories(app);
  article_id = (await make.article({ reference: 'ART-1' })).id;
});
afterAll(() => app.stop());

describe('EPC, GIAI and GRAI of a purchase', () => {
  it('are kept in one spelling, whatever they were sent as', async () => {
    const { status, body } = await post({
      epc: '3414257BF400000000BC6038',
      gs1: [']C18004061414199\x1d21X', 'https://x.example/8003/00614141123452400?a=1', '(8004)061414199'],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      epc: 'urn:epc:id:giai:0614141.12345400',
      gs1: ['(8004)061414199', '(8003)00614141123452400'],
    });
    expect((await patch(body.id, { gs1: ['(8004)0614AB9', '(8004)0614ab9'] })).body.gs1).toEqual([
      '(8004)0614AB9',
    ]);
    const again = await patch(body.id, { epc: 'urn:epc:tag:giai-96:3.0614141.12345401', gs1: null });
    expect(again.body).toMatchObject({ epc: 'urn:epc:id:giai:0614141.12345401', gs1: [] });
    expect((await patch(body.id, { epc: '' })).body).toMatchObject({ epc: null, gs1: [] });
    expect((await post({ epc: null, gs1: null })).body).toMatchObject({ epc: null, gs1: [] });
  });

  it('are refused where they are none, each by its place', async () => {
    const answer = await post({
      epc: '3074257BF7194E4000001A85',
      gs1: ['(8004)061414111', 'INV1', '(8004)é'],
    });
    expect(refused(answer)).toEqual(['epc', 'gs1.1', 'gs1.2']);
    expect(answer.body.errors['gs1.1'][0]).toMatch(/GIAI \(8004\).*GRAI \(8003\)/);
    expect(refused(await post({ gs1: Array.from({ length: 21 }, (_, n) => `(8004)0614141X${n}`) }))).toEqual([
      'gs1',
    ]);
    for (const gs1 of ['(8004)061414111', [null], [{}], 7])
      expect(refused(await post({ gs1 }))).toHaveLength(1);
    for (const field of ['epc', 'gs1'])
      expect(refused(await get(`/purchases?${field}=INV1`))).toEqual([field]);
  });

  it('find their purchase, an EPC also what has the same GIAI or GRAI', async () => {
    const tagged = (await post({ epc: 'urn:epc:id:giai:0614141.200' })).body;
    const printed = (await post({ gs1: ['(8004)0614141201', '(8003)00614141123452201'] })).body;
    for (const text of ['urn:epc:id:giai:0614141.200', '80040614141200', '(8004)0614141200'])
      expect(await found(text)).toBe(tagged.id);
    for (const text of [
      'urn:epc:tag:giai-96:0.0614141.201',
      ']C180040614141201\x1d10A',
      'urn:epc:id:grai:0614141.12345.201',
      'urn:epc:raw:96.x3414257BF4000000000000C9',
      'https://id.gs1.org/8003/00614141123452201',
    ])
      expect(await found(text)).toBe(printed.id);
    const listed = async (query: string) => idsOf((await get(`/purchases?${query}`)).body.data);
    expect(await listed('epc=3414257BF4000000000000C8')).toEqual([tagged.id]);
    expect(await listed('gs1=80040614141200')).toEqual([]);
    expect(await listed(`gs1=${encodeURIComponent('(8004)0614141201')}`)).toEqual([printed.id]);
    expect(await listed('epc=urn:epc:id:giai:0614141.201')).toEqual([]);
  });

  it('are searched for as they stand there, as a whole', async () => {
    const { body } = await post({ epc: 'urn:epc:id:giai:0614141.77', gs1: ['(8003)00614141123452477'] });
    const other = (await post({ epc: 'urn:epc:id:giai:0614141.775' })).body;
    const search = async (text: string) =>
      idsOf((await get(`/purchases?search=${encodeURIComponent(text)}`)).body.data);
    for (const text of [
      'urn:epc:id:giai:0614141.77',
      '(8004)061414177',
      'https://id.gs1.org/8003/00614141123452477',
    ])
      expect([text, await search(text)]).toEqual([text, [body.id]]);
    expect(await search('urn:epc:id:giai:0614141.775')).toEqual([other.id]);
    await patch(body.id, { epc: null });
    expect(await search('urn:epc:id:giai:0614141.77')).toEqual([]);
  });

  it('leave a label that says the same in other words its own', async () => {
    const labelled = (await post({ code: '80040614141300' })).body;
    const printed = (await post({ gs1: ['80040614141300'] })).body;
    expect(await found('80040614141300')).toBe(labelled.id);
    expect(await found('(8004)0614141300')).toBe(printed.id);
  });

  it('are on no other label as the EPC is written, whichever came first, until it has ended, and after', async () => {
    const uri = (serial: number) => `urn:epc:id:giai:0614141.${serial}`;
    const tagged = (await post({ epc: uri(310) })).body;
    const labelled = (await post({ code: uri(311) })).body;
    expect(refused(await post({ code: uri(310) }))).toEqual(['code']);
    expect(refused(await patch(tagged.id, { epc: uri(311) }))).toEqual(['epc']);
    expect(refused(await post({ epc: uri(311) }))).toEqual(['epc']);
    expect(await found(uri(310))).toBe(tagged.id);
    expect(await found(uri(311))).toBe(labelled.id);
    await patch(tagged.id, { epc: null });
    expect(await found(uri(310))).toBeUndefined();
    expect(refused(await post({ code: uri(310) }))).toEqual(['code']);
    expect((await patch(labelled.id, { epc: uri(311) })).status).toBe(200); // its own, twice
  });

  it('are on no other label also where both come at once', async () => {
    for (let serial = 8700; serial < 8710; serial++) {
      const epc = `urn:epc:id:giai:0614141.${serial}`;
      const { body } = await post({});
      const answers = await Promise.all([patch(body.id, { epc }), post({ code: epc })]);
      expect(answers.map(({ status }) => (status === 201 ? 200 : status)).sort()).toEqual([200, 422]);
      expect(refused(answers.find(({ status }) => status === 422)!)).toEqual([
        answers[0].status === 422 ? 'epc' : 'code',
      ]);
    }
  });

  it('are told by name to the one of two who comes second', async () => {
    for (let serial = 8500; serial < 8520; serial++) {
      const epc = `urn:epc:id:giai:0614141.${serial}`;
      const [one, other] = [(await post({})).body, (await post({})).body];
      const answers = await Promise.all([patch(one.id, { epc }), patch(other.id, { epc })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
      expect(refused(answers.find(({ status }) => status === 422)!)).toEqual(['epc']);
    }
  });

  it('are never those of another purchase, nor its code, for ever', async () => {
    const first = (await post({ code: '(8004)0614141400', gs1: ['(8004)0614141401'] })).body;
    await patch(first.id, { epc: 'urn:epc:id:giai:0614141.402' });
    await patch(first.id, { epc: null });
    expect(await found('(8004)0614141402')).toBeUndefined();
    const other = (await post({})).body;
    const taken = {
      code: '(8004)0614141401',
      epc: 'urn:epc:id:giai:061414.1400',
      gs1: ['(8004)0614141499', '(8004)0614141402'],
    };
    for (const answer of [await post(taken), await patch(other.id, taken)]) {
      expect(refused(answer)).toEqual(['code', 'epc', 'gs1.1']);
      expect(answer.body.errors['gs1.1']).toEqual(['is or was on the label of another purchase']);
    }
    // Its own it may have twice, and take back.
    const own = { gs1: ['(8004)0614141400', '(8004)0614141402'], epc: 'urn:epc:id:giai:0614141.402' };
    expect((await patch(first.id, own)).body).toMatchObject(own);
    expect(await found('(8004)0614141402')).toBe(first.id);
  });

  it('are given to one of many who ask at the same time', async () => {
    const gs1 = ['(8004)0614141500'];
    const answers = await Promise.all(Array.from({ length: 6 }, () => post({ gs1 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
    for (const answer of answers.filter(({ status }) => status === 422))
      expect(refused(answer)).toEqual(['gs1.0']);
  });

  it('have the key in the database that a scan has', async () => {
    const reference = fc.string({
      unit: fc.constantFrom(...'0123456789AZaz"%&/<>?.-_'),
      minLength: 1,
      maxLength: 14,
    });
    const uri = fc
      .tuple(fc.stringMatching(/^\d{12}$/), fc.integer({ min: 6, max: 12 }), reference)
      .chain(([digits, length, text]) => {
        const [company, type] = [digits.slice(0, length), digits.slice(length)];
        const asset = encodeURIComponent(text);
        return fc.constantFrom(`giai:${company}.${asset}`, `grai:${company}.${type}.${asset}`);
      });
    const epcs = fc.sample(uri, { numRuns: 300, seed: 8004 }).map((body) => readEpc(`urn:epc:id:${body}`)!);
    const rows = await app.database.query<{ key: string }>(
      `SELECT epc_key(epc) AS key FROM unnest($1::text[]) WITH ORDINALITY AS given (epc, n) ORDER BY n`,
      [epcs.map(({ uri }) => uri)],
    );
    expect(rows.map(({ key }) => key)).toEqual(epcs.map(({ key }) => key));
  });

  it('are imported, a list with blanks or bars between, and refused by line', async () => {
    const { url } = app.database;
    const header = 'article;purchase_date;code;Puce RFID;GIAI\n';
    const line = (code: string, epc: string, gs1: string) => `ART-1;2026-01-15;${code};${epc};${gs1}\n`;
    const good =
      header +
      line('I-1', '3414257BF400000000000258', '(8004)0614141601|80040614141602') +
      line('I-2', '', '');
    expect((await importText(url, 'purchases', good)).said).toEqual([
      expect.stringContaining('2 new, 0 updated'),
    ]);
    const [row] = (await get('/purchases?code=I-1')).body.data;
    expect(row).toMatchObject({
      epc: 'urn:epc:id:giai:0614141.600',
      gs1: ['(8004)0614141601', '(8004)0614141602'],
    });
    const again = header + line('I-1', '', '(8004)0614141602 (8004)0614141603');
    expect((await importText(url, 'purchases', again)).said).toEqual([
      expect.stringContaining('0 new, 1 updated'),
    ]);
    expect(await found('(8004)0614141603')).toBe(row.id);
    expect(await found('(8004)0614141601')).toBeUndefined();
    const wrong =
      header +
      line('I-3', 'x', '(8004)0614141604 y') +
      line('I-4', '', '(8004)0614141601') +
      line('I-5', '', '(8004)0614141605') +
      line('I-6', 'urn:epc:id:giai:0614141.605', '') +
      line('I-7', 'urn:epc:id:giai:0614141.606', '') +
      line('urn:epc:id:giai:0614141.606', '', '') +
      line('urn:epc:id:giai:0614141.600', '', '') +
      line('I-8', 'urn:epc:id:giai:0614141.607', '');
    await post({ code: 'urn:epc:id:giai:0614141.607' });
    const { said } = await importText(url, 'purchases', wrong);
    const text = said.join('\n');
    for (const [at, field] of [
      [2, 'Puce RFID'],
      [2, 'GIAI'],
      [3, 'GIAI'],
      [5, 'Puce RFID'],
      [6, 'Puce RFID'],
      [8, 'Code'],
      [9, 'Puce RFID'],
    ] as const)
      expect(text).toMatch(new RegExp(`line ${at}.*${field}`, 'i'));
    expect(text).toContain('is on line 4 too');
    expect(text).toContain('is on line 7 too');
  });

  it('are those of before as well, and keep nobody from changing what has had one of them on its label', async () => {
    const { url } = app.database;
    const upToIt = migrations.slice(0, migrations.indexOf(EpcUris1763600193000) + 1);
    for (let count = migrations.length; count >= upToIt.length; count--) await undoMigration(url);
    const uri = 'urn:epc:id:giai:0614141.900';
    const tagged = (await post({ epc: uri })).body;
    const other = (await post({})).body;
    const labelled = (await post({ code: 'urn:epc:id:giai:0614141.901' })).body;
    await app.database.query(`UPDATE purchases SET epc = $2 WHERE id = $1`, [other.id, labelled.code]);
    await migrate(url);
    expect(refused(await post({ code: uri }))).toEqual(['code']);
    expect(await found(uri)).toBe(tagged.id);
    for (const { id } of [tagged, other, labelled])
      expect((await patch(id, { notes: 'Comptée' })).status).toBe(200);
  });
});

describe('A scan', () => {
  let session: number;
  const path = (rest: string) => `/inventories/${session}/${rest}`;
  const scan = (fields: object) => app.as('operator').post(path('scan'), fields);
  const item = (code: string, fields: object = {}) => ({ client_id: randomUUID(), code, ...fields });
  const batch = async (scans: object[]) => (await app.as('operator').post(path('scans'), { scans })).body;
  const listed = async (list: string) => (await app.as('admin').get(path(list))).body.data;

  beforeAll(async () => {
    const opened = await app.as('manager').post('/inventories', { year: 2026, inventory_date: '2026-11-23' });
    session = opened.body.id;
  });

  it('finds by whatever was read, and keeps what has read it', async () => {
    const { id, code } = (await post({ gs1: ['(8004)0614141700'] })).body;
    const { body } = await scan({ code: ']C180040614141700', source: 'scanner' });
    expect(body).toMatchObject({ reason: 'recorded', code: '(8004)0614141700', purchase: { id, code } });
    const [first, second] = [(await post({})).body, (await post({})).body];
    expect((await scan({ code: first.code, source: 'camera' })).body.reason).toBe('recorded');
    expect((await scan({ code: second.code })).body.reason).toBe('recorded');
    const sources = (await listed('scans')).map((one: { source: string }) => one.source);
    expect(sources).toEqual(['scanner', 'camera', null]);
    expect(
      idsOf((await listed('scans?source=camera')).map((one: { purchase: object }) => one.purchase)),
    ).toEqual([first.id]);
    expect(refused(await app.as('admin').get(path('scans?source=eye')))).toEqual(['source']);
    expect(refused(await scan({ code: first.code, source: 'eye' }))).toEqual(['source']);
    const csv = await app.as('admin').send('GET', path('scans?format=csv'), undefined, {});
    expect(csv.text).toMatch(/;source\r\n(.*\r\n)*.*;camera\r\n/);
  });

  it('that is undone leaves nothing of what had read it', async () => {
    const { code } = (await post({})).body;
    const { scan_id } = (await scan({ code, source: 'camera' })).body;
    await app.as('operator').delete(path(`scans/${scan_id}`));
    expect((await scan({ code })).body.reason).toBe('recorded');
    expect((await listed('scans')).at(-1)).toMatchObject({ source: null });
  });

  it('of an RFID reader is answered like its first read in the batch, however often it comes', async () => {
    const { id } = (await post({ epc: 'urn:epc:id:giai:0614141.800' })).body;
    const gone = (await post({ epc: 'urn:epc:id:giai:0614141.801' })).body;
    await app.as('manager').post(`/purchases/${gone.id}/dispose`, { date: '2026-11-20', reason: 'sold' });
    const [tag, sold, nobody] = [
      '3414257BF400000000000320',
      '3414257BF400000000000321',
      '3414257BF4000000000003FF',
    ];
    const rfid = { source: 'rfid' };
    const read = [tag, sold, nobody, tag, sold, nobody, tag].map((code) => item(code, rfid));
    const { results, summary } = await batch(read);
    expect(results.map(({ reason }: { reason: string }) => reason)).toEqual([
      'recorded', 'disposed', 'unknown-code', 'recorded', 'disposed', 'unknown-code', 'recorded',
    ]); // prettier-ignore
    expect(summary).toEqual({ success: 3, warning: 2, error: 2 });
    const without = ({ client_id: _, ...answer }: { client_id: string }) => answer;
    expect(without(results[3])).toEqual(without(results[0]));
    expect(without(results[6])).toEqual(without(results[0]));
    expect(without(results[4])).toEqual(without(results[1]));
    expect(results[0]).toMatchObject({ purchase: { id }, client_id: read[0]!.client_id });
    // Sent again it is answered as it was; a batch of its own was read once more.
    expect((await batch(read)).results).toEqual(results);
    expect((await batch([item(tag, rfid)])).results[0].reason).toBe('already-scanned');
    expect((await listed('scans')).filter((one: { source: string }) => one.source === 'rfid')).toHaveLength(
      1,
    );
    expect(await listed('unexpected')).toMatchObject([{ source: 'rfid', reason: 'disposed' }]);
    expect(await listed('unknown-codes')).toMatchObject([{ code: nobody, times: 2, source: 'rfid' }]);
    // What is no longer disposed of is expected and so has another id; what is undone is so for each of its reads.
    await app.as('manager').post(`/purchases/${gone.id}/dispose/undo`);
    const now = (await batch(read)).results;
    expect(now[1].scan_id).not.toBe(results[1].scan_id);
    expect(without(now[4])).toEqual(without(now[1]));
    for (const { scan_id } of [now[0], now[1]]) await app.as('operator').delete(path(`scans/${scan_id}`));
    expect((await batch(read)).results.map(({ reason }: { reason: string }) => reason)).toEqual([
      'undone', 'undone', 'unknown-code', 'undone', 'undone', 'unknown-code', 'undone',
    ]); // prettier-ignore
  });

  it('of an RFID reader is so too where its first read in the batch is a message that is sent again', async () => {
    const [epc, tag] = ['urn:epc:id:giai:0614141.802', '3414257BF400000000000322'];
    await post({ epc });
    const read = [tag, tag, tag].map((code) => item(code, { source: 'rfid' }));
    const lost = (await batch(read.slice(0, 1))).results[0];
    const { results } = await batch(read.slice(0, 2));
    expect(results).toEqual([lost, { ...lost, client_id: read[1]!.client_id }]);
    expect((await batch(read)).results).toEqual([...results, { ...lost, client_id: read[2]!.client_id }]);
    await app.as('operator').delete(path(`scans/${lost.scan_id}`));
    const reasons = async (sent: object[]) =>
      (await batch(sent)).results.map(({ reason }: { reason: string }) => reason);
    expect(await reasons(read)).toEqual(['undone', 'undone', 'undone']);
    // What was undone is scanned anew, and read again then.
    const later = [tag, tag].map((code) => item(code, { source: 'rfid' }));
    expect(await reasons([...read, ...later])).toEqual([
      'undone',
      'undone',
      'undone',
      'recorded',
      'recorded',
    ]);
  });

  it('of a camera in a batch is told that it was scanned already', async () => {
    const { code } = (await post({})).body;
    const { results } = await batch([item(code, { source: 'camera' }), item(code, { source: 'camera' })]);
    expect(results.map(({ reason }: { reason: string }) => reason)).toEqual(['recorded', 'already-scanned']);
  });

  it('that comes late keeps what has read it, also once it was accepted', async () => {
    const { id, code } = (await post({})).body;
    await app.as('manager').post(path('close'), {});
    const late = { scanned_at: new Date(Date.now() - 60_000).toISOString(), source: 'manual' };
    await batch([item(code, late)]);
    const [kept] = await listed('late-scans');
    expect(kept).toMatchObject({ source: 'manual', purchase: { id } });
    await app.as('admin').post(path('reopen'), { reason: 'Un scan attend encore' });
    await app.as('manager').post(path(`late-scans/${kept.id}/accept`), {});
    expect(await listed('scans?source=manual')).toMatchObject([{ purchase: { id } }]);
  });
});
