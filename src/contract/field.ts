import { ApiProperty } from '@nestjs/swagger';
import { say } from '../common/messages.js';
import { contractMessages } from './contract.messages.js';

/**
 * What the fields of requests have in common. A decorator states once what a field accepts: it validates and it
 * documents, so that the document cannot promise other bounds than those that are enforced.
 */
export interface FieldOptions {
  /** May be left out. */
  optional?: boolean;
  /** May be null, which clears it. */
  nullable?: boolean;
  description?: string;
  example?: unknown;
  default?: unknown;
}

export type Check = (value: unknown) => string | null;

/** What a field has that is more than one value. */
interface Parts {
  /** The class of each item of a list of objects. */
  items?: new () => object;
  /** What is wrong with each item of a list of values, told by its place. */
  each?: Check;
  /** Takes an object, whose fields whoever reads it knows. */
  isObject?: boolean;
  /** Stands for all fields whose names begin so, each of them a text. */
  prefix?: string;
}

/** A field as requests are checked by it. */
interface Field extends Parts {
  /** What is wrong with a value that is converted, or that is not there. */
  verdict: Check;
  convert?: (value: unknown) => unknown;
  /** The decorator of the same field with other options. */
  redefine: (changes: FieldOptions) => PropertyDecorator;
}

const registry = new WeakMap<object, Map<string, Field>>();

/** Makes the decorator of a kind of field: its schema in the document, its check and its conversion. */
export function field(
  options: FieldOptions,
  schema: object,
  check: Check,
  convert?: Field['convert'],
  parts: Parts = {},
): PropertyDecorator {
  const define = ({
    optional,
    nullable,
    description,
    example,
    default: byDefault,
  }: FieldOptions): PropertyDecorator => {
    const verdict: Check = (value) => {
      if (value === undefined) return optional ? null : say(contractMessages.required);
      if (value === null) return nullable ? null : say(contractMessages.not_null);
      return check(value);
    };
    const document = ApiProperty({
      ...schema,
      required: !optional,
      nullable: Boolean(nullable), // also when it is not: a PATCH may narrow a field of its base
      ...(description && { description }),
      ...(example !== undefined && { example }),
      ...(byDefault !== undefined && { default: byDefault }),
    });
    const redefine = (changes: FieldOptions) =>
      define({ ...options, example: 'example' in options ? options.example : options.default, ...changes });
    return (target, name) => {
      const fields = registry.get(target) ?? new Map<string, Field>();
      registry.set(target, fields.set(String(name), { verdict, convert, ...parts, redefine }));
      if (parts.prefix === undefined) document(target, name);
    };
  };
  return define(options);
}

const known = new WeakMap<object, ReadonlyMap<string, Field>>();

/** The fields that a request class knows by name, its own before those of its base. */
export function fieldsOf(type: { prototype: object }): ReadonlyMap<string, Field> {
  const before = known.get(type);
  if (before) return before;
  const fields = new Map<string, Field>();
  for (let at: object | null = type.prototype; at; at = Object.getPrototypeOf(at) as object | null) {
    for (const [name, one] of registry.get(at) ?? []) if (!fields.has(name)) fields.set(name, one);
  }
  known.set(type, fields);
  return fields;
}

/** Names of the fields that a request class knows. */
export const fieldNames = (type: { prototype: object }): Set<string> => new Set(fieldsOf(type).keys());

/** The class of a PATCH body: every field of `base`, all of them optional, without defaults. */
export function PatchOf<T>(base: new () => T): new () => Partial<T> {
  // eslint-disable-next-line @typescript-eslint/no-extraneous-class -- its fields are defined below
  class Patch {}
  for (const [name, { redefine }] of registry.get(base.prototype as object) ?? []) {
    redefine({ optional: true, default: undefined })(Patch.prototype, name);
  }
  return Patch;
}
