import { randomUUID } from 'node:crypto';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { factories, readByCursor, refused, unique } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { importText } from './support/import.js';
import { PDF, upload } from './support/upload.js';

type Row = Answer['body'];

let t: TestApp;
let make: Factories;
let manager: Client;
let phone: Client;

beforeAll(async () => {
  t = await startApp();
  make = factories(t);
  manager = t.as('manager');
  phone = t.as('operator');
});
afterAll(() => t.stop());

const open = async (fields: object = {}): Promise<number> =>
  (await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-16', ...fields })).body.id;
const scan = async (session: number, code: string, fields: object = {}): Promise<Row> =>
  (await phone.post(`/inventories/${session}/scan`, { code, ...fields })).body;
const historyOf = async (id: number, client = t.as('viewer')): Promise<Row[]> =>
  (await client.get(`/purchases/${id}/history?per_page=200`)).body.data;
const kindsOf = (rows: Row[]): string[] => rows.map(({ kind }) => kind);

describe('GET /purchases/{id}/history', () => {
  it('has every change with who made it, the latest first', async () => {
    const [from, to] = [await make.location({ name: unique('Cave') }), await make.location()];
    const { id } = await make.purchase({ location_id: from.id, serial_number: 'S1' });
    await manager.patch(`/purchases/${id}`, { serial_number: 'S2' });
    await manager.patch(`/purchases/${id}`, { location_id: to.id, notes: 'n' });
    await manager.post(`/purchases/${id}/dispose`, { date: '2026-03-01', reason: 'sold', proceeds: 12.5 });
    await manager.post(`/purchases/${id}/dispose/undo`);
    await manager.delete(`/purchases/${id}`);
    expect((await manager.get(`/purchases/${id}/history`)).status).toBe(404);
    await manager.post(`/purchases/${id}/restore`);

    const rows = await historyOf(id);
    expect(kindsOf(rows)).toEqual(
      ['created', 'changed', 'moved', 'disposed', 'disposal_undone', 'deleted', 'restored'].reverse(),
    );
    const [restored, deleted, undone, disposed, moved, changed, created] = rows;
    const me = (await manager.get('/me')).body;
    for (const row of rows) {
      expect(row).toMatchObject({ user: { id: me.id, name: me.name }, attachment: null, inventory: null });
      expect(row.scan).toBeNull();
    }
    expect([restored.changes, deleted.changes]).toEqual([null, null]);
    expect(undone.changes.disposed_on).toEqual({ from: '2026-03-01', to: null });
    expect(disposed.changes).toMatchObject({
      disposed_on: { from: null, to: '2026-03-01' },
      disposal_reason: { from: null, to: 'sold' },
      disposal_proceeds: { from: null, to: 12.5 },
    });
    expect(moved.changes).toEqual({
      location_id: { from: from.id, to: to.id },
      notes: { from: null, to: 'n' },
    });
    const place = ({ id, name, path }: Row) => ({ id, name, path });
    expect(moved.move).toEqual({ from: place(from), to: place(to) });
    expect([changed.changes, changed.move]).toEqual([{ serial_number: { from: 'S1', to: 'S2' } }, null]);
    expect(created.changes).toMatchObject({ serial_number: { from: null, to: 'S1' } });
    expect(Object.keys(created.changes)).not.toContain('notes');
  });

  it('names the places of what one line of an import has moved and disposed of', async () => {
    const [from, to] = [await make.location(), await make.location()];
    const { id, code, article, purchase_date } = await make.purchase({ location_id: from.id });
    for (const [date, reason, place] of [
      ['2026-03-01', 'sold', to],
      ['', '', from],
    ] as const)
      await importText(
        t.database.url,
        'purchases',
        `code,article,purchase_date,location,disposal_date,disposal_reason\n` +
          `${code},${article.name},${purchase_date},${place.path},${date},${reason}\n`,
      );

    const [undone, disposed, created] = await historyOf(id);
    const place = ({ id, name, path }: Row) => ({ id, name, path });
    expect(undone).toMatchObject({ kind: 'disposal_undone', move: { from: place(to), to: place(from) } });
    expect(disposed).toMatchObject({ kind: 'disposed', move: { from: place(from), to: place(to) } });
    expect(created).toMatchObject({ kind: 'created', move: null });
    // It was moved by them, whatever they are called.
    const { data } = (await manager.get(`/purchases/${id}/history?kind=moved`)).body;
    expect(data).toEqual([undone, disposed]);
    const ofKind = async (kind: string) =>
      (await manager.get(`/purchases/${id}/history?kind=${kind}`)).body.data;
    expect([await ofKind('disposed'), await ofKind('changed')]).toEqual([[disposed], []]);
  });

  it('has its scans in every session, those too that were unexpected, late or undone', async () => {
    const place = await make.location();
    const purchase = await make.purchase({ location_id: place.id });
    const other = await make.purchase();
    const [all, apart] = [await open(), await open({ location_ids: [(await make.location()).id] })];
    const first = await scan(all, purchase.code);
    await phone.delete(`/inventories/${all}/scans/${first.scan_id}`);
    const again = await scan(all, purchase.code, { condition: 'damaged', note: 'x', source: 'rfid' });
    const unexpected = await scan(apart, purchase.code, { location_id: place.id });
    const device_scanned_at = new Date().toISOString();
    await manager.post(`/inventories/${all}/close`);
    await scan(all, other.code, { client_id: randomUUID(), scanned_at: device_scanned_at });

    const rows = await historyOf(purchase.id);
    expect(kindsOf(rows)).toEqual(['scanned', 'scanned', 'scan_undone', 'created']);
    const nothing = { id: null, device_scanned_at: null, location: null, condition: null, note: null };
    const none = { ...nothing, source: null, reason: null, status: null };
    expect(rows.slice(0, 3).map(({ inventory, scan }) => [inventory.id, scan])).toEqual([
      [
        apart,
        {
          ...none,
          id: unexpected.scan_id,
          reason: 'out-of-scope',
          location: { id: place.id, name: place.name, path: place.path },
        },
      ],
      [all, { ...none, id: again.scan_id, condition: 'damaged', note: 'x', source: 'rfid' }],
      [all, { ...none, id: first.scan_id }],
    ]);
    expect(rows[0].inventory).toEqual({ id: apart, year: 2026, inventory_date: '2026-11-16' });
    expect(rows[0].changes).toBeNull();
    const [late] = await historyOf(other.id);
    expect([late.kind, late.inventory.id, late.scan]).toEqual([
      'scanned_late',
      all,
      { ...none, device_scanned_at, status: 'waiting' },
    ]);
    await manager.post(`/inventories/${apart}/close`);
  });

  it('has one kind of it alone, whatever there is between', async () => {
    const { id, code } = await make.purchase();
    const session = await open();
    const { scan_id } = await scan(session, code);
    for (let n = 0; n < 4; n++) await manager.patch(`/purchases/${id}`, { notes: `n${n}` });
    const kindOf = async (kind: string, more = '') =>
      (await manager.get(`/purchases/${id}/history?kind=${kind}${more}`)).body;
    const [seen, ...others] = (await kindOf('scanned', '&per_page=1')).data;
    expect([seen.scan.id, others]).toEqual([scan_id, []]);
    expect(kindsOf((await kindOf('created')).data)).toEqual(['created']);
    expect(await kindOf('moved')).toMatchObject({ data: [], meta: { next_cursor: null } });
    const { data, meta } = await kindOf('changed', '&per_page=3');
    const { data: rest } = await kindOf('changed', `&per_page=3&cursor=${meta.next_cursor}`);
    const notes = [...data, ...rest].map(({ changes }: Row) => changes.notes.to);
    expect(notes).toEqual(['n3', 'n2', 'n1', 'n0']);
    expect(await manager.get(`/purchases/${id}/history?kind=seen`)).toMatchObject({ status: 422 });
    await manager.post(`/inventories/${session}/close`);
  });

  it('does not call a scan undone that went on as expected', async () => {
    const purchase = await make.purchase();
    await manager.post(`/purchases/${purchase.id}/dispose`, { date: '2026-03-01', reason: 'lost' });
    const session = await open();
    await scan(session, purchase.code);
    await manager.post(`/purchases/${purchase.id}/dispose/undo`);
    const kinds = ['scanned', 'disposal_undone', 'disposed', 'created'].sort();
    const [entry] = (await manager.get(`/inventories/${session}/scans`)).body.data;
    expect(kindsOf(await historyOf(purchase.id)).sort()).toEqual(kinds);
    await phone.patch(`/inventories/${session}/scans/${entry.id}`, { condition: 'damaged' });
    expect(kindsOf(await historyOf(purchase.id)).sort()).toEqual(kinds);
    await phone.delete(`/inventories/${session}/scans/${entry.id}`);
    const undone = (await historyOf(purchase.id)).filter(({ kind }) => kind === 'scan_undone');
    expect(undone.map(({ scan }) => scan.id)).toEqual([entry.id]);
    await manager.post(`/inventories/${session}/close`);
  });

  it('has what was attached to it and taken off', async () => {
    const { id } = await make.purchase();
    const sent = await upload(manager, `/purchases/${id}/attachments`, PDF, {
      name: 'Facture.pdf',
      fields: { kind: 'invoice' },
    });
    await manager.delete(`/attachments/${sent.body.id}`);
    const rows = await historyOf(id);
    expect(kindsOf(rows)).toEqual(['detached', 'attached', 'created']);
    const attachment = { id: sent.body.id, name: 'Facture.pdf', kind: 'invoice' };
    for (const row of rows.slice(0, 2)) expect(row).toMatchObject({ attachment, changes: null });
  });

  it('has nothing of what was refused, which is for the audit log', async () => {
    const { id } = await make.purchase();
    const sent = await upload(manager, `/purchases/${id}/attachments`, PDF, { name: 'Facture.pdf' });
    expect((await phone.delete(`/attachments/${sent.body.id}`)).status).toBe(403);
    expect(kindsOf(await historyOf(id))).toEqual(['attached', 'created']);
    const refusals = await t.as('admin').get(`/audit?resource=attachment&resource_id=${sent.body.id}`);
    expect(refusals.body.data.map(({ action }: Row) => action)).toContain('forbidden');
  });

  it('has what was attached to its scans, those too that were unexpected or undone', async () => {
    const [purchase, other] = [await make.purchase(), await make.purchase()];
    const [all, apart] = [await open(), await open({ location_ids: [(await make.location()).id] })];
    const attach = async (session: number, scanId: number, name: string): Promise<Row> =>
      (await upload(phone, `/inventories/${session}/scans/${scanId}/attachments`, PDF, { name })).body;
    const first = await scan(all, purchase.code);
    const undone = await attach(all, first.scan_id, 'undone.pdf');
    await phone.delete(`/inventories/${all}/scans/${first.scan_id}`);
    const again = await scan(all, purchase.code);
    const kept = await attach(all, again.scan_id, 'kept.pdf');
    const unexpected = await scan(apart, purchase.code);
    const apartOnes = await attach(apart, unexpected.scan_id, 'apart.pdf');
    await attach(all, (await scan(all, other.code)).scan_id, 'other.pdf');
    await manager.delete(`/attachments/${kept.id}`);

    const rows = (await historyOf(purchase.id)).filter(({ attachment }) => attachment);
    const told = rows.map(({ kind, attachment, inventory, scan }) => [
      kind,
      attachment.id,
      inventory.id,
      scan.id,
    ]);
    expect(told).toEqual([
      ['detached', kept.id, all, again.scan_id],
      ['attached', apartOnes.id, apart, unexpected.scan_id],
      ['attached', kept.id, all, again.scan_id],
      ['detached', undone.id, all, first.scan_id],
      ['attached', undone.id, all, first.scan_id],
    ]);
    expect(rows[1].attachment).toEqual({ id: apartOnes.id, name: 'apart.pdf', kind: 'other' });
    for (const session of [all, apart]) await manager.post(`/inventories/${session}/close`);
  });

  it('is paged by cursor, and a file like every list', async () => {
    const { id } = await make.purchase();
    for (const notes of ['a', 'b', 'c', 'd']) await manager.patch(`/purchases/${id}`, { notes });
    const rows = await historyOf(id);
    expect(await readByCursor(manager, `/purchases/${id}/history?per_page=2`)).toEqual(rows);
    const lines = (await manager.get(`/purchases/${id}/history?format=csv`)).text.trim().split('\r\n');
    expect([lines.length, lines[0]]).toEqual([6, Object.keys(rows[0]).join(';')]);
    expect(refused(await manager.get(`/purchases/${id}/history?cursor=x`))).toEqual(['cursor']);
    expect((await manager.get('/purchases/2147483647/history')).status).toBe(404);
  });
});
