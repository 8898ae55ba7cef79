import { Injectable } from '@nestjs/common';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { complain, invalid, noErrors } from '../common/errors.js';
import type { FieldErrors } from '../common/errors.js';
import { fieldNames } from './field.js';
import { say } from '../common/messages.js';
import { httpMessages } from '../http/http.messages.js';

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

/** The same without throwing: the importer collects the errors of all lines. */
export function check<T extends object>(
  type: new () => T,
  input: unknown,
): { value: T; errors?: FieldErrors } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { value: new type(), errors: { body: [say(httpMessages.object)] } };
  }
  const known = fieldNames(type);
  // The raw keys: class-transformer silently drops __proto__ and the like.
  const given = Object.entries(input).filter(([key]) => known.has(key));
  const flat = Object.fromEntries(given.map(([key, value]) => [key, withoutObjects(value)]));
  const value = plainToInstance(type, flat, { exposeUnsetFields: false });
  const errors = noErrors();
  for (const error of validateSync(value)) errors[error.property] = Object.values(error.constraints ?? {});
  const unknown = Object.keys(input).filter((key) => !known.has(key));
  complain(errors, unknown, say(httpMessages.unknown_field));
  return Object.keys(errors).length > 0 ? { value, errors } : { value };
}

/**
 * No field takes an object. A symbol stands for one, which every check refuses: class-transformer would walk into it,
 * and would take what it calls its constructor for a class.
 */
function withoutObjects(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item) => (isObject(item) ? Symbol('object') : (item as unknown)));
  return isObject(value) ? Symbol('object') : value;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
