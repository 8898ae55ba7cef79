/* eslint-disable @typescript-eslint/no-explicit-any -- PostgreSQL's syntax trees are JSON of any shape */
import { parse } from 'libpg-query';

/** What is there before a migration. */
export interface Before {
  /** Tables that may be big and in use. Those that the migration makes itself are empty and unknown to others. */
  tables: Set<string>;
  /** Columns, as `table.column`, of which a validated constraint says that they are not null. */
  neverNull: Set<string>;
}

type Complaint = string;

/**
 * What in these statements would keep the requests of a running service waiting, or fail the release before.
 * What is not known to be harmless is refused: the list of what is allowed is the shorter one.
 */
export async function lint(statements: string[], transaction: boolean, before: Before): Promise<Complaint[]> {
  const nodes = (await Promise.all(statements.map((sql) => parse(sql)))).flatMap(({ stmts }: any) =>
    stmts.map(({ stmt }: any) => Object.entries(stmt)[0] as [string, any]),
  );
  return transaction ? inTransaction(nodes, before) : alone(nodes);
}

const table = (node: any): string => node.relation.relname as string;

/** Holds each lock until its end: every statement must be short. */
function inTransaction(nodes: [string, any][], { tables, neverNull }: Before): Complaint[] {
  const isInUse = (node: any): boolean => tables.has(table(node));
  const indexes = new Set<string>();
  return nodes.flatMap(([kind, node]): Complaint[] => {
    switch (kind) {
      case 'IndexStmt':
        indexes.add(node.idxname);
        if (node.concurrent)
          return [`${node.idxname}: CONCURRENTLY needs a migration with transaction = false`];
        return isInUse(node)
          ? [`${node.idxname}: CREATE INDEX keeps writers of ${table(node)} waiting; use CONCURRENTLY`]
          : [];
      case 'AlterTableStmt':
        if (node.objtype !== 'OBJECT_TABLE' || !isInUse(node)) return [];
        return node.cmds.flatMap(({ AlterTableCmd: command }: any) => alter(table(node), command, neverNull));
      case 'RenameStmt':
        if (!/OBJECT_(TABLE|COLUMN)/.test(node.renameType) || !isInUse(node)) return [];
        return [
          `${table(node)}: a renamed table or column is unknown to the release before; add, copy, and drop later`,
        ];
      case 'DropStmt':
        return node.objects.flatMap((object: any) => drop(node, object, tables, indexes));
      case 'UpdateStmt':
      case 'DeleteStmt':
        return isInUse(node)
          ? [
              `${table(node)}: UPDATE and DELETE lock rows until the end; do it in batches, with transaction = false`,
            ]
          : [];
      case 'InsertStmt':
        return named(node.selectStmt ?? {}).some((name) => tables.has(name))
          ? [
              `${table(node)}: INSERT … SELECT reads a table of any size; do it in batches, with transaction = false`,
            ]
          : [];
      case 'VariableSetStmt':
        return node.is_local
          ? []
          : [`SET ${node.name} outlasts the migration; the lock timeout is set for all`];
      default:
        return HARMLESS.has(kind) ? [] : [`${kind} is not known to be short`];
    }
  });
}

/** They make what nobody uses yet, or take a lock for an instant. */
const HARMLESS = new Set([
  'CreateStmt', 'CreateSeqStmt', 'AlterSeqStmt', 'CreateFunctionStmt', 'AlterFunctionStmt', 'CreateTrigStmt',
  'CreateExtensionStmt', 'CreateEnumStmt', 'CreateDomainStmt', 'ViewStmt', 'CommentStmt', 'GrantStmt', 'SelectStmt',
]); // prettier-ignore

function drop(node: any, object: any, tables: Set<string>, indexes: Set<string>): Complaint[] {
  const name = (object.List?.items ?? []).at(-1)?.String.sval as string;
  if (node.removeType === 'OBJECT_TABLE' && tables.has(name))
    return [`${name}: the release before still uses the table`];
  if (node.removeType === 'OBJECT_INDEX' && !indexes.has(name))
    return [`${name}: DROP INDEX waits for all who use its table, and they for it; use CONCURRENTLY`];
  return [];
}

/** One command of ALTER TABLE on a table in use. */
function alter(name: string, command: any, neverNull: Set<string>): Complaint[] {
  switch (command.subtype) {
    case 'AT_AddColumn':
      return addColumn(name, command.def.ColumnDef);
    case 'AT_AddConstraint':
      return addConstraint(name, command.def.Constraint);
    case 'AT_SetNotNull':
      return neverNull.has(`${name}.${command.name}`)
        ? []
        : [
            `${name}.${command.name}: SET NOT NULL reads the table; have a validated CHECK (${command.name} IS NOT NULL) first`,
          ];
    case 'AT_AlterColumnType':
      return [`${name}.${command.name}: another type rewrites the table; add a column, copy, and drop later`];
    case 'AT_DropColumn':
      return [`${name}.${command.name}: the release before still uses the column`];
    case 'AT_ValidateConstraint':
      return [
        `${command.name}: VALIDATE CONSTRAINT reads the table; use a migration with transaction = false`,
      ];
    case 'AT_ColumnDefault':
    case 'AT_DropNotNull':
    case 'AT_DropConstraint':
    case 'AT_SetStatistics':
    case 'AT_SetRelOptions':
    case 'AT_ResetRelOptions':
    case 'AT_EnableAlwaysTrig':
      return [];
    default:
      return [`${name}: ${command.subtype} is not known to be short`];
  }
}

function addColumn(name: string, { colname, typeName, constraints = [] }: any): Complaint[] {
  const kinds: string[] = constraints.map(({ Constraint }: any) => Constraint.contype);
  const complaints: Complaint[] = [];
  if (kinds.includes('CONSTR_NOTNULL') && !kinds.includes('CONSTR_DEFAULT'))
    complaints.push(
      `${name}.${colname}: NOT NULL without DEFAULT fails on rows, and on those of the release before`,
    );
  if (
    constraints.some(
      ({ Constraint }: any) => Constraint.contype === 'CONSTR_DEFAULT' && isVolatile(Constraint.raw_expr),
    ) ||
    /serial/.test(typeName.names.at(-1).String.sval)
  )
    complaints.push(`${name}.${colname}: a DEFAULT that differs from row to row rewrites the table`);
  for (const kind of kinds) {
    if (!['CONSTR_NULL', 'CONSTR_NOTNULL', 'CONSTR_DEFAULT'].includes(kind))
      complaints.push(
        `${name}.${colname}: ${kind.replace('CONSTR_', '')} in ADD COLUMN reads or rewrites the table; add it on its own`,
      );
  }
  return complaints;
}

/** now() is the same for all rows of a transaction; of other functions one would have to ask the database. */
function isVolatile(expression: any): boolean {
  const functions = find(expression, 'FuncCall').map(({ funcname }) => funcname.at(-1).String.sval as string);
  return functions.some((name) => !['now', 'extract', 'date_part'].includes(name));
}

function addConstraint(name: string, { contype, conname, skip_validation, indexname }: any): Complaint[] {
  if (/FOREIGN|CHECK/.test(contype))
    return skip_validation
      ? []
      : [`${conname}: reads ${name}; add it NOT VALID, and validate it with transaction = false`];
  if (/UNIQUE|PRIMARY/.test(contype))
    return indexname
      ? []
      : [`${conname}: builds an index on ${name}; build it CONCURRENTLY, then ADD … USING INDEX`];
  return [`${conname ?? contype}: reads ${name}`];
}

/** Without a transaction: only what takes no lock that others wait for, however long it lasts, and can be repeated. */
function alone(nodes: [string, any][]): Complaint[] {
  const complaints = nodes.flatMap(([kind, node], at): Complaint[] => {
    if (kind === 'SelectStmt' || (kind === 'VariableSetStmt' && node.name === 'lock_timeout')) return [];
    if (kind === 'IndexStmt' && node.concurrent) {
      const [, dropped] = nodes[at - 1] ?? [];
      const isDropped =
        dropped?.concurrent &&
        dropped.missing_ok &&
        find(dropped, 'String').some(({ sval }) => sval === node.idxname);
      return isDropped && !node.if_not_exists
        ? []
        : [
            `${node.idxname}: a try that failed leaves an invalid index; DROP INDEX CONCURRENTLY IF EXISTS first`,
          ];
    }
    if (kind === 'DropStmt' && node.removeType === 'OBJECT_INDEX' && node.concurrent && node.missing_ok)
      return [];
    if (
      kind === 'AlterTableStmt' &&
      node.cmds.every(({ AlterTableCmd }: any) => AlterTableCmd.subtype === 'AT_ValidateConstraint')
    )
      return [];
    if (/^(Update|Delete|Insert)Stmt$/.test(kind))
      return find(node, 'limitCount').length > 0
        ? []
        : [`${table(node)}: a change without LIMIT locks any number of rows`];
    return [`${kind} does not belong into a migration without a transaction`];
  });
  const timeouts = nodes
    .filter(([, node]) => node.name === 'lock_timeout')
    .map(([, { kind, args }]) => (kind === 'VAR_RESET' ? 'reset' : (args[0].A_Const.ival?.ival ?? 0)));
  if (
    nodes[0]?.[1].name !== 'lock_timeout' ||
    nodes.at(-1)?.[1].name !== 'lock_timeout' ||
    timeouts.join() !== '0,reset'
  )
    complaints.push(
      'begin with SET lock_timeout = 0, as nobody waits behind it, and end with RESET lock_timeout',
    );
  return complaints;
}

/** Everything of that name in a syntax tree. */
function find(node: any, name: string): any[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    (key === name ? [value] : []).concat(find(value, name)),
  );
}

/** The tables that a query reads. */
const named = (node: any): string[] => find(node, 'RangeVar').map(({ relname }) => relname as string);
