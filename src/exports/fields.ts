import type { Type } from '@nestjs/common';

/** Where the decorators of the document keep the names of a class. */
const PROPERTIES = 'swagger/apiModelPropertiesArray';

/** The fields of an answer, those of its base first, as the document names them. */
export const fieldsOfAnswer = (answer: Type): string[] =>
  ((Reflect.getMetadata(PROPERTIES, answer.prototype as object) ?? []) as string[]).map((name) =>
    name.slice(1),
  );
