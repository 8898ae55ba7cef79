import { Injectable } from '@nestjs/common';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { invalid, noErrors } from './errors.js';
import type { FieldErrors } from './errors.js';
import { fieldNames } from './field.js';
import { say } from './messages.js';

/** Turns a body or a query into its class: nothing unknown, nothing twice, all errors at once by field. */
@Injectable()
export class ValidationPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !metatype) return value;
    // Without a body there is no field; a body of null is no object.
    return validated(metatype as new () => object, value === undefined ? {} : value);
  }
}

/** @throws DomainError validation-failed with the messages by field. */
export function validated<T extends object>(type: new () => T, input: unknown): T {
  const { value, errors } = check(type, input);
  if (errors) throw invalid(errors);
  return value;
}

/** How many unknown fields an answer names: a body has room for 100 000, and the answer would be larger still. */
const NAMED_UNKNOWN = 100;

/** The same without throwing: the importer collects the errors of all lines. */
export function check<T extends object>(
  type: new () => T,
  input: unknown,
): { value: T; errors?: FieldErrors } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { value: new type(), errors: { body: [say('object')] } };
  }
  const known = fieldNames(type);
  const errors = noErrors();
  const given: Record<string, unknown> = {};
  let unknown = 0;
  // The raw keys: class-transformer silently drops __proto__, constructor and the like.
  for (const [key, value] of Object.entries(input)) {
    if (known.has(key)) given[key] = value;
    else if (unknown++ < NAMED_UNKNOWN) errors[key] = [say('unknown_field')];
  }
  const value = plainToInstance(type, given, { exposeUnsetFields: false });
  for (const error of validateSync(value)) errors[error.property] = Object.values(error.constraints ?? {});
  return Object.keys(errors).length > 0 ? { value, errors } : { value };
}
