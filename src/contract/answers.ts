import { ApiProperty } from '@nestjs/swagger';
import type { ApiPropertyOptions } from '@nestjs/swagger';

// The kinds of fields of answers, for the document.

export const InstantAnswer = (options: ApiPropertyOptions = {}): PropertyDecorator =>
  ApiProperty({
    type: 'string',
    format: 'date-time',
    example: '2026-10-15T08:30:00.000Z',
    ...options,
  });

export const DateAnswer = (options: ApiPropertyOptions = {}): PropertyDecorator =>
  ApiProperty({ type: 'string', format: 'date', example: '2026-10-15', ...options });

/** A double also where a generator would take a number for a decimal, and send that as a string. */
export const NumberAnswer = (options: ApiPropertyOptions): PropertyDecorator =>
  ApiProperty({ type: 'number', format: 'double', ...options });

/** An id that may outgrow 32 bits. */
export const LongIdAnswer = (example: number): PropertyDecorator =>
  ApiProperty({ type: 'integer', format: 'int64', example });

const openList = (known: readonly string[], description = '') => ({
  description: `${description}${description && ' '}Known: ${known.map((word) => `\`${word}\``).join(', ')}; there will be others.`,
  'x-extensible-enum': known,
});

/** A word of a list that may grow: a plain string, since a client made today must live on with a word of tomorrow. */
export const WordAnswer = (
  known: readonly string[],
  { description, ...options }: ApiPropertyOptions & { description?: string } = {},
): PropertyDecorator => ApiProperty({ type: 'string', ...openList(known, description), ...options });

/** Several words of such a list. */
export const WordsAnswer = (known: readonly string[], example: readonly string[]): PropertyDecorator =>
  ApiProperty({
    type: 'array',
    items: { type: 'string' },
    ...openList(known),
    example,
  });
