import { DelimiterParam } from './delimiter.js';
import type { Delimiter } from './delimiter.js';
import { ChoiceField } from './fields.js';

type ListFormat = 'json' | 'csv' | 'xlsx';

/** By what all of a list is asked for as a file. */
export class FileQuery {
  @ChoiceField({
    optional: true,
    of: ['json', 'csv', 'xlsx'],
    description:
      'All of the list as a file, with its filters and in its order, as of one instant; `Accept` says it too. Not together with `page`, `per_page`, `cursor` or `updated_since`.',
  })
  format?: ListFormat;

  @DelimiterParam({
    description:
      'What separates the cells of CSV: `;` unless `Accept-Language` names English first, then `,`. With `;` amounts have a decimal comma.',
  })
  delimiter?: Delimiter;
}

/** Whether a query narrows its list, rather than only ordering and paging it. */
export const hasFilters = (query: object): boolean =>
  Object.keys(query).some(
    (name) =>
      ![
        'format',
        'delimiter',
        'sort',
        'per_page',
        'page',
        'cursor',
        'updated_since',
        'include_deleted',
      ].includes(name),
  );
