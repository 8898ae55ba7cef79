import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Alias } from 'typeorm/query-builder/Alias.js';
import { drain } from '../common/drain.js';

type Raw = Record<string, unknown>;

/** Where the fields of a row, and of the rows that are joined to it, are in what was read. */
interface Shape {
  columns: { property: string; key: string }[];
  joined: { property: string; shape: Shape; id: string }[];
}

/**
 * The rows of a list, with what is joined to them, as plain objects. TypeORM's getMany() looks for rows that belong
 * together and asks for the type of each value, although every join of a list is to one row and pg has read the types:
 * a fifth of the CPU of a page of fifty articles. What is joined to a row where there may be none is known by its id.
 */
export async function readRows<Row extends ObjectLiteral>(rows: SelectQueryBuilder<Row>): Promise<Row[]> {
  const read = await rows.getRawMany<Raw>();
  const [first] = read;
  if (!first) return [];
  const shape = shapeOf(rows, rows.expressionMap.mainAlias as Alias, first);
  return drain(read, (raw) => rowOf(raw, shape) as Row);
}

/**
 * Joins rows of which the name is shown, and of whose versions entity tags are made: of fifty articles, all columns of
 * what is joined to them take a third of the CPU of the page, and those of a user look up her roles.
 */
export function joinNamed<Row extends ObjectLiteral>(
  rows: SelectQueryBuilder<Row>,
  relations: string[],
): SelectQueryBuilder<Row> {
  for (const relation of relations) {
    const shown = ['id', 'name', 'version'].map((column) => `${relation}.${column}`);
    rows.leftJoin(`${rows.alias}.${relation}`, relation).addSelect(shown);
  }
  return rows;
}

function shapeOf(rows: SelectQueryBuilder<ObjectLiteral>, { name, metadata }: Alias, raw: Raw): Shape {
  const keyOf = (column: string) => `${name}_${column}`;
  const columns = metadata.columns
    .map(({ propertyName, databaseName }) => ({ property: propertyName, key: keyOf(databaseName) }))
    .filter(({ key }) => key in raw);
  const joined = rows.expressionMap.joinAttributes
    .filter(({ isSelected, parentAlias, relation }) => isSelected && relation && parentAlias === name)
    .map(({ alias, relation }) => ({
      property: relation!.propertyName,
      shape: shapeOf(rows, alias, raw),
      id: `${alias.name}_id`,
    }));
  return { columns, joined };
}

function rowOf(raw: Raw, { columns, joined }: Shape): Raw {
  const row: Raw = {};
  for (const { property, key } of columns) row[property] = raw[key];
  for (const { property, shape, id } of joined) row[property] = raw[id] === null ? null : rowOf(raw, shape);
  return row;
}
