import type { EntityManager } from 'typeorm';
import type { FieldErrors } from '../common/errors.js';
import { say } from '../common/messages.js';
import { MAX_LEVELS } from '../locations/location.entity.js';
import { locationMessages } from '../locations/locations.messages.js';
import { importMessages } from './imports.messages.js';
import type { Completing, StoredRow, Values } from './kind.js';
import type { ImportOptions } from './options.js';
import { shown } from './references.js';
import { LINES_OF_A_LEVEL } from './write.js';

const codeTaken: FieldErrors = { code: [say(locationMessages.code_taken)] };
/** The code of another writer; and what already lies below a place that is moved. */
export const locationConstraints = {
  uq_locations_code_key: codeTaken,
  pk_location_codes: codeTaken,
  ck_locations_circle: { parent: [say(locationMessages.circle)] },
  ck_locations_depth: { parent: [say(locationMessages.too_deep)] },
};

/** A place as it will be: one that is stored, or a line of the file, which may stand for a stored one. */
interface Place {
  line?: number;
  /** None of a line that makes a new place. */
  id: number | null;
  name: string;
  name_key: string;
  code_key: string | null;
  /** The line's cell, as it is, as a code and as a path; null for a root. */
  parent_text: string | null;
  parent_code: string | null;
  parent_key: string | null;
  /** Of a stored place, what it has now. */
  parent_id: number | null;
  path_key?: string;
  parent?: Place | null;
  /** Of a line, how many places are above it then. */
  level?: number;
}

/** The places that have or once had one of these codes. Nobody changes the tree from here to the end of the import. */
export async function findLocations(
  manager: EntityManager,
  keys: string[],
): Promise<(StoredRow & { key: string })[]> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('locations'))`);
  return manager.query(
    `SELECT c.code_key AS key, l.id, l.deleted_at IS NULL AND l.code_key = c.code_key AS is_current
     FROM location_codes c JOIN locations l ON l.id = c.location_id WHERE c.code_key = ANY ($1)`,
    [keys],
  );
}

export const locationRule = (_: Values, stored?: StoredRow): FieldErrors =>
  stored && !stored.is_current ? codeTaken : {};

/** Finds the place that each line without a code updates, by its path, and the parents, on whatever line they stand. */
export async function placeLines(
  manager: EntityManager,
  { fields, options }: Completing,
): Promise<Map<number, FieldErrors>> {
  const hasParents = fields.includes('parent');
  const parent = hasParents ? 'i.parent' : 'NULL::text';
  // A file that changes what is known need not say what it is called.
  const name = 'coalesce(i.name, l.name)';
  const lines = await manager.query<Place[]>(
    `SELECT i.line, i.id, ${name} AS name, name_key(${name}), code_key(i.code), l.parent_id,
       ${parent} AS parent_text, code_key(${parent}) AS parent_code, name_key(${parent}) AS parent_key
     FROM import_lines i LEFT JOIN locations l ON l.id = i.id ORDER BY i.line`,
  );
  const stored = await manager.query<Place[]>(
    `SELECT id, name, name_key(name), code_key, parent_id FROM locations WHERE deleted_at IS NULL`,
  );
  const tree = new Tree(lines, stored, hasParents, options.mode);
  if (tree.errors.size === 0) await keep(manager, tree, lines);
  return tree.errors;
}

class Tree {
  readonly errors = new Map<number, FieldErrors>();
  private readonly byId: Map<number, Place>;
  private readonly byCode: Map<string, Place>;

  constructor(
    lines: Place[],
    stored: Place[],
    private readonly hasParents: boolean,
    private readonly mode: ImportOptions['mode'],
  ) {
    this.byId = new Map([...stored, ...lines].flatMap((place) => (place.id ? [[place.id, place]] : [])));
    const coded = [...this.byId.values(), ...lines];
    this.byCode = new Map(coded.flatMap((place) => (place.code_key ? [[place.code_key, place]] : [])));
    for (const place of [...stored, ...lines]) this.pathOf(place);
    this.match(
      lines.filter((line) => !line.code_key),
      byPath(stored.filter((place) => this.byId.get(place.id!) === place)),
    );
    // Of stored places those that no line stands for: a line says anew what its place is called and where it is.
    const places = byPath([...lines, ...stored.filter((place) => this.byId.get(place.id!) === place)]);
    for (const line of lines) line.parent = this.parentOf(line, places);
    for (const line of lines) this.checkLevels(line);
  }

  /** Of a parent that is named by its path, as the line has it; else as the parent makes it, which a line may rename. */
  private pathOf(place: Place, below = 0): string {
    if (place.path_key !== undefined) return place.path_key;
    const parent = this.namedParent(place);
    // One that goes round in a circle is told later.
    const above = below > MAX_LEVELS ? '' : parent ? this.pathOf(parent, below + 1) : place.parent_key;
    const path = above ? `${above} / ${place.name_key}` : place.name_key;
    if (below === 0) place.path_key = path;
    return path;
  }

  /** Known without paths: by its code, or since the file does not say where its places are. */
  private namedParent(place: Place): Place | undefined {
    if (place.parent_code) return this.byCode.get(place.parent_code);
    const isGiven = this.hasParents && place.line !== undefined;
    return isGiven || !place.parent_id ? undefined : this.byId.get(place.parent_id);
  }

  private match(lines: Place[], stored: Map<string, Place[]>): void {
    const first = new Map<string, Place>();
    for (const line of lines) {
      const same = first.get(line.path_key!);
      const rows = stored.get(line.path_key!) ?? [];
      const [row, ...others] = withoutCode(rows);
      if (same) this.tell(line, 'name', say(importMessages.repeated, same.line!));
      else if (others.length > 0) this.tell(line, 'name', say(importMessages.ambiguous, rows.length));
      else if (row && this.mode === 'create') this.tell(line, 'name', say(importMessages.known_already));
      else if (!row && this.mode === 'update') this.tell(line, 'name', say(importMessages.not_known));
      else if (row) {
        line.id = row.id;
        line.name = row.name; // what it was found by stays as it is spelled there
        line.code_key = row.code_key;
        this.byId.set(row.id!, line);
        if (row.code_key) this.byCode.set(row.code_key, line);
      }
      first.set(line.path_key!, same ?? line);
    }
  }

  private parentOf(line: Place, places: Map<string, Place[]>): Place | null {
    const named = this.namedParent(line);
    if (named || !line.parent_key) return named ?? null;
    const found = withoutCode(places.get(line.parent_key) ?? []);
    if (found.length === 0) this.tell(line, 'parent', say(importMessages.no_match, shown(line.parent_text!)));
    if (found.length > 1) this.tell(line, 'parent', say(importMessages.ambiguous, found.length));
    return found[0] ?? null;
  }

  private checkLevels(line: Place): void {
    const above = new Set<Place>();
    for (let place: Place | undefined = line; place && !above.has(place); place = this.above(place))
      above.add(place);
    line.level = above.size - 1;
    const top = [...above].at(-1)!;
    if (this.above(top)) this.tell(line, 'parent', say(locationMessages.circle));
    else if (above.size > MAX_LEVELS) this.tell(line, 'parent', say(locationMessages.too_deep));
  }

  private above(place: Place): Place | undefined {
    if (place.parent !== undefined) return place.parent ?? undefined;
    return place.parent_id ? this.byId.get(place.parent_id) : undefined;
  }

  private tell({ line }: Place, field: string, message: string): void {
    const known = this.errors.get(line!) ?? {};
    this.errors.set(line!, { ...known, [field]: [...(known[field] ?? []), message] });
  }
}

/** Of several places of one path, those without a code come first: their path is what tells them apart. */
function withoutCode(places: Place[]): Place[] {
  const own = places.filter(({ code_key }) => !code_key);
  return own.length > 0 ? own : places;
}

function byPath(places: Place[]): Map<string, Place[]> {
  const paths = new Map<string, Place[]>();
  for (const place of places) paths.set(place.path_key!, [...(paths.get(place.path_key!) ?? []), place]);
  return paths;
}

/**
 * New places get their ids before they are written, so that others can lie in them. From the root down, since each
 * is written where it may be then: below no place that still lies below it.
 */
async function keep(manager: EntityManager, tree: Tree, lines: Place[]): Promise<void> {
  const fresh = lines.filter((line) => line.id === null);
  const isNew = new Set(fresh);
  const ids = await manager.query<{ id: number }[]>(
    `SELECT nextval(pg_get_serial_sequence('locations', 'id')) AS id FROM generate_series(1, $1::integer)`,
    [fresh.length],
  );
  fresh.forEach((line, index) => (line.id = ids[index]!.id));
  await manager.query(
    `UPDATE import_lines l SET line = g.level * ${LINES_OF_A_LEVEL} + l.line, id = g.id, is_new = g.is_new,
       name = g.name, parent_id = g.parent_id
     FROM json_to_recordset($1) AS g
       (line integer, level integer, id integer, is_new boolean, name text, parent_id integer)
     WHERE l.line = g.line`,
    [
      JSON.stringify(
        lines.map((line) => ({
          line: line.line,
          level: line.level,
          id: line.id,
          is_new: isNew.has(line),
          name: line.name,
          parent_id: line.parent?.id ?? null,
        })),
      ),
    ],
  );
}
