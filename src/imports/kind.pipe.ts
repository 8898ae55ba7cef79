import type { PipeTransform } from '@nestjs/common';
import { notFound } from '../common/errors.js';
import { importMessages } from './imports.messages.js';
import { kinds } from './kinds.js';

/** What is imported, in the path. Another word is not found. */
export class KindPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!Object.hasOwn(kinds, value)) throw notFound(importMessages.none);
    return value;
  }
}
