import type { EntityManager } from 'typeorm';
import { CreateArticleDto } from '../articles/articles.dto.js';
import { say } from '../common/messages.js';
import { check } from '../contract/validation.pipe.js';
import { storable } from '../purchases/code.js';
import { importMessages } from './imports.messages.js';
import type { Column } from './names.js';
import { shown } from './references.js';
import type { Resolve } from './references.js';
import { textOf } from './table.js';
import type { Cell, Row } from './table.js';

interface Wanted {
  name: string | null;
  reference: string | null;
  brand: string | null;
  category: string | null;
  brand_id?: number;
  category_id?: number;
  /** Why none can be made so. */
  error?: string | undefined;
}

interface Found {
  ids: number[];
  error?: string | undefined;
}

/** Articles that purchases name by brand, name and reference together. */
export class Articles {
  private readonly known = new Map<string, Found>();
  private readonly places: Map<string, number>;
  /** The columns of the name and the reference, and all that name an article together. */
  private readonly names: [string, string];
  private readonly parts: string[];

  constructor(
    private readonly manager: EntityManager,
    columns: Column[],
    /** Whether those that are not known are made; then a part that is empty is empty in the article too. */
    private readonly makes: boolean,
  ) {
    this.places = new Map(columns.flatMap(({ field }, at) => (field ? [[field, at]] : [])));
    this.names = [this.places.has('article') ? 'article' : 'article_name', 'article_reference'];
    this.parts = [...this.names, 'brand'];
  }

  /** Whether the columns name an article so. */
  get isNamed(): boolean {
    const isAlone = this.places.has('article') && !this.makes;
    return !isAlone && this.names.some((name) => this.places.has(name));
  }

  /** @param resolve the brands and categories of the same rows */
  async of(rows: Row[], resolve: Resolve): Promise<(cells: Cell[]) => { id?: number; error?: string }> {
    const open = new Map<string, Wanted>();
    for (const { cells } of rows) {
      const key = this.keyOf(cells);
      if (!this.known.has(key)) open.set(key, this.wanted(cells, resolve));
    }
    await this.find(open);
    this.findByOne(open, resolve);
    if (this.makes) await this.make(open);
    return (cells) => this.answer(cells);
  }

  private answer(cells: Cell[]): { id?: number; error?: string } {
    const parts = this.parts.map((part) => this.text(cells, part)).filter(Boolean);
    if (!this.names.some((name) => this.text(cells, name))) return {};
    const { ids, error } = this.known.get(this.keyOf(cells)) ?? { ids: [] };
    if (ids.length === 0 && error) return { error };
    const none = this.makes ? importMessages.no_match : importMessages.no_article;
    if (ids.length === 0) return { error: say(none, shown(parts.join(', '))) };
    return ids.length === 1 ? { id: ids[0]! } : { error: say(importMessages.ambiguous, ids.length) };
  }

  private text(cells: Cell[], field: string): string {
    return storable(this.raw(cells, field));
  }

  private raw(cells: Cell[], field: string): string {
    const at = this.places.get(field);
    return at === undefined ? '' : textOf(cells[at]);
  }

  private keyOf = (cells: Cell[]): string => JSON.stringify(this.parts.map((part) => this.text(cells, part)));

  private wanted(cells: Cell[], resolve: Resolve): Wanted {
    const [name, reference, brand] = this.parts.map((part) => this.text(cells, part) || null);
    const category = this.text(cells, 'category') || null;
    const found = (field: string, text: string | null | undefined): ReturnType<Resolve> =>
      text ? resolve(field, text) : {};
    const [itsBrand, itsCategory] = [found('brand', brand), found('category', category)];
    return {
      name: name ?? (this.makes ? reference! : null),
      reference: reference!,
      brand: brand!,
      category,
      brand_id: itsBrand.id,
      category_id: itsCategory.id,
      error: this.makes ? (this.problemOf(cells) ?? itsBrand.error ?? itsCategory.error) : undefined,
    };
  }

  /** What the service would say to who makes it by hand. */
  private problemOf(cells: Cell[]): string | undefined {
    const [name, reference] = this.names.map((part) => this.raw(cells, part));
    const given = { name: name! || reference!, reference: reference! || null };
    const { name: wrong, reference: other } = check(CreateArticleDto, given).errors ?? {};
    return (wrong ?? other)?.[0];
  }

  /** Of several articles that a line could mean, those without a reference come first, as in ownKey(). */
  private async find(open: Map<string, Wanted>): Promise<void> {
    const wanted = [...open].map(([key, { name, reference, brand }]) => ({ key, name, reference, brand }));
    if (wanted.length === 0) return;
    const same = this.makes
      ? `name_key(a.name) = name_key(w.name)
         AND name_key(a.reference) IS NOT DISTINCT FROM name_key(w.reference)
         AND name_key(b.name) IS NOT DISTINCT FROM name_key(w.brand)`
      : `(w.name IS NULL OR name_key(a.name) = name_key(w.name))
         AND (w.reference IS NULL OR name_key(a.reference) = name_key(w.reference))
         AND (w.brand IS NULL OR name_key(b.name) = name_key(w.brand))
         AND coalesce(w.name, w.reference) IS NOT NULL`;
    const rows = await this.manager.query<{ key: string; ids: number[] }[]>(
      `SELECT w.key, coalesce(array_agg(a.id ORDER BY a.id) FILTER (WHERE a.reference IS NULL),
         array_agg(a.id ORDER BY a.id)) AS ids
       FROM json_to_recordset($1) AS w (key text, name text, reference text, brand text)
       JOIN articles a ON a.deleted_at IS NULL AND (name_key(a.name) = name_key(w.name)
         OR w.name IS NULL AND name_key(a.reference) = name_key(w.reference))
       LEFT JOIN brands b ON b.id = a.brand_id
       WHERE ${same} GROUP BY w.key`,
      [JSON.stringify(wanted)],
    );
    for (const { key } of wanted) this.known.set(key, { ids: [], error: open.get(key)!.error });
    for (const { key, ids } of rows) this.known.set(key, { ids });
    const ids = rows.flatMap((row) => row.ids);
    // Held until the end, so that nobody deletes meanwhile what a line refers to.
    if (ids.length > 0)
      await this.manager.query(`SELECT FROM articles WHERE id = ANY ($1) FOR KEY SHARE`, [ids]);
  }

  /** The column `article` has the reference or the name of one, whatever its other parts, where none has all of them. */
  private findByOne(open: Map<string, Wanted>, resolve: Resolve): void {
    if (!this.places.has('article')) return;
    for (const [key, wanted] of open) {
      if (!wanted.name || this.known.get(key)!.ids.length > 0) continue;
      const { id, error, isUnknown } = resolve('article', wanted.name);
      if (isUnknown) continue;
      if (!id) wanted.error = error;
      this.known.set(key, { ids: id ? [id] : [], error });
    }
  }

  private async make(open: Map<string, Wanted>): Promise<void> {
    const missing = [...open].filter(
      ([key, { name, error }]) => this.known.get(key)!.ids.length === 0 && name && !error,
    );
    if (missing.length === 0) return;
    // Of several spellings the first is made, and the others find it.
    await this.manager.query(
      `INSERT INTO articles (name, reference, brand_id, category_id)
       SELECT DISTINCT ON (name_key(name), name_key(reference), brand_id) name, reference, brand_id, category_id
       FROM ROWS FROM (json_to_recordset($1) AS (name text, reference text, brand_id integer, category_id integer))
         WITH ORDINALITY AS w (name, reference, brand_id, category_id, n)
       ORDER BY name_key(name), name_key(reference), brand_id, n`,
      [JSON.stringify(missing.map(([, wanted]) => wanted))],
    );
    await this.find(new Map(missing));
  }
}
