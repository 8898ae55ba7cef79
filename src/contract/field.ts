import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
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
type Define = (options: FieldOptions) => PropertyDecorator;

const registry = new WeakMap<object, Map<string, Define>>();

/** Makes the decorator of a kind of field: its schema in the document, its check and its conversion. */
export function field(
  options: FieldOptions,
  schema: object,
  check: Check,
  convert?: (value: unknown) => unknown,
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
    const validate = ValidateBy({
      name: 'field',
      validator: {
        validate: (value: unknown) => verdict(value) === null,
        defaultMessage: (args) => verdict(args?.value) ?? '',
      },
    });
    const document = ApiProperty({
      ...schema,
      required: !optional,
      nullable: Boolean(nullable), // also when it is not: a PATCH may narrow a field of its base
      ...(description && { description }),
      ...(example !== undefined && { example }),
      ...(byDefault !== undefined && { default: byDefault }),
    });
    return (target, name) => {
      const fields = registry.get(target) ?? new Map<string, Define>();
      registry.set(
        target,
        fields.set(String(name), (changes) =>
          define({
            ...options,
            example: 'example' in options ? options.example : options.default,
            ...changes,
          }),
        ),
      );
      if (convert) Transform(({ value }) => convert(value))(target, name);
      validate(target, name);
      document(target, name);
    };
  };
  return define(options);
}

/** Names of the fields that a request class knows. */
export function fieldNames(type: { prototype: object }): Set<string> {
  const names = new Set<string>();
  for (let at: object | null = type.prototype; at; at = Object.getPrototypeOf(at) as object | null) {
    for (const name of registry.get(at)?.keys() ?? []) names.add(name);
  }
  return names;
}

/** The class of a PATCH body: every field of `base`, all of them optional, without defaults. */
export function PatchOf<T>(base: new () => T): new () => Partial<T> {
  // eslint-disable-next-line @typescript-eslint/no-extraneous-class -- its fields are defined below
  class Patch {}
  for (const [name, define] of registry.get(base.prototype as object) ?? []) {
    define({ optional: true, default: undefined })(Patch.prototype, name);
  }
  return Patch;
}
