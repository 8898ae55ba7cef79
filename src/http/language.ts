import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { LANGUAGES } from '../common/messages.js';
import type { Language } from '../common/messages.js';
import type { AppRequest } from './request.js';

/** No browser names more; a header may hold thousands. */
const MAX_RANGES = 20;
const RANGE = /^\s*([a-z]+)(?:-[a-z0-9-]*)?\s*(?:;\s*q=(\d(?:\.\d{0,3})?)\s*)?$/i;

/** The language that an Accept-Language header names with the highest quality, of equals the first; else `unasked`. */
export function preferredLanguage(header: string | undefined, unasked: Language): Language {
  if (header === undefined) return unasked;
  let preferred = unasked;
  let highest = 0;
  for (const range of header.split(',', MAX_RANGES)) {
    const [, name, quality = 1] = RANGE.exec(range) ?? [];
    const language = LANGUAGES.find((one) => one === name?.toLowerCase());
    if (language && Number(quality) > highest) [preferred, highest] = [language, Number(quality)];
  }
  return preferred;
}

/** The language of the caller; `unasked` where he names none that we speak. */
export const Preferred = createParamDecorator((unasked: Language, context: ExecutionContext): Language =>
  preferredLanguage(context.switchToHttp().getRequest<AppRequest>().headers['accept-language'], unasked),
);
