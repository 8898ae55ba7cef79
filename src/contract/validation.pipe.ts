import { Body, Query } from '@nestjs/common';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { complain, invalid, noErrors } from '../common/errors.js';
import type { FieldErrors } from '../common/errors.js';
import { fieldsOf } from './field.js';
import { say } from '../common/messages.js';
import { httpMessages } from '../http/http.messages.js';

/** Turns a body or a query into its class: nothing unknown, nothing twice, all errors at once by field. */
class ValidationPipe implements PipeTransform {
  transform(value: unknown, { metatype }: ArgumentMetadata): object {
    // Without a body there is no field; a body of null is no object.
    return validated(metatype as new () => object, value === undefined ? {} : value);
  }
}

/**
 * The body of a request as its class. Bound to what it checks: a pipe for all is awaited for each argument that a handler
 * has, such as who asks (bench/PROFILES.md).
 */
export const CheckedBody = (): ParameterDecorator => Body(new ValidationPipe());

/** The same of its query. */
export const CheckedQuery = (): ParameterDecorator => Query(new ValidationPipe());

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
  const fields = fieldsOf(type);
  const value = new type();
  const unknown: string[] = [];
  for (const [name, given] of Object.entries(input)) {
    const field = fields.get(name);
    if (!field || field.prefix !== undefined) {
      if (!isOfFamily(fields, name)) unknown.push(name);
      else (value as Record<string, unknown>)[name] = given;
      continue;
    }
    if (field.items ?? field.isObject) {
      (value as Record<string, unknown>)[name] = given;
      continue;
    }
    const flat = withoutObjects(given);
    const converted = field.convert ? field.convert(flat) : flat;
    if (converted !== undefined) (value as Record<string, unknown>)[name] = converted;
  }
  const errors = noErrors();
  for (const [name, { verdict, items, each }] of fields) {
    const given = (value as Record<string, unknown>)[name];
    const error = verdict(given);
    if (error !== null) errors[name] = [error];
    else if (items && given !== undefined) {
      (value as Record<string, unknown>)[name] = checkItems(items, name, given as unknown[], errors);
    } else if (each && Array.isArray(given)) {
      for (const [at, item] of given.entries()) {
        const wrong = each(item);
        if (wrong !== null) errors[`${name}.${at}`] = [wrong];
      }
    }
  }
  complain(errors, unknown, say(httpMessages.unknown_field));
  return Object.keys(errors).length > 0 ? { value, errors } : { value };
}

/** Whether the name begins as all names of a family do; given twice it is refused before. */
const isOfFamily = (fields: ReturnType<typeof fieldsOf>, name: string): boolean =>
  [...fields.values()].some(({ prefix }) => prefix !== undefined && name.startsWith(prefix));

/** How many items an answer names: the rest will be as wrong. */
const NAMED_ITEMS = 100;

function checkItems(type: new () => object, name: string, items: unknown[], errors: FieldErrors): object[] {
  let bad = 0;
  return items.map((item, at) => {
    const one = check(type, item);
    if (one.errors && bad++ < NAMED_ITEMS) {
      for (const [field, messages] of Object.entries(one.errors)) {
        errors[field === 'body' ? `${name}.${at}` : `${name}.${at}.${field}`] = messages;
      }
    }
    return one.value;
  });
}

/** No other field takes an object but those that say so. A symbol stands for one, which every check refuses, whatever the object looks like. */
function withoutObjects(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item) => (isObject(item) ? Symbol('object') : (item as unknown)));
  return isObject(value) ? Symbol('object') : value;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
