import { complain, noErrors, refuseInvalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import type { LabelQuery } from './labels.dto.js';
import { labelMessages } from './labels.messages.js';
import { A4, SHEETS, a4 } from './sheets.js';
import type { Sheet } from './sheets.js';

const OF_CUSTOM = ['width', 'height', 'columns', 'rows', 'left', 'top', 'pitch_x', 'pitch_y'] as const;
/** Of millimetres that were added up. */
const TOLERANCE = 0.01;

/** @throws DomainError validation-failed where labels would overlap or lie off the page */
export function sheetOf(query: LabelQuery): Sheet {
  const { sheet: name = 'l7160', skip = 0 } = query;
  const sheet = name === 'custom' ? custom(query) : SHEETS[name];
  const given = name === 'custom' ? [] : OF_CUSTOM.filter((field) => query[field] !== undefined);
  const errors = noErrors();
  complain(errors, given, say(labelMessages.not_custom));
  const size = sheet.columns * sheet.rows;
  if (skip >= size && skip > 0) errors.skip = [say(labelMessages.skip, size)];
  refuseInvalid(errors);
  return sheet;
}

function custom(query: LabelQuery): Sheet {
  const errors = noErrors();
  complain(
    errors,
    OF_CUSTOM.filter((field) => query[field] === undefined),
    say(labelMessages.of_custom),
  );
  refuseInvalid(errors);
  const sheet = a4(query as Required<LabelQuery>);
  const { width, height, columns, rows, left, top, pitch_x, pitch_y } = sheet;
  if (columns > 1 && pitch_x < width) errors.pitch_x = [say(labelMessages.overlap)];
  if (rows > 1 && pitch_y < height) errors.pitch_y = [say(labelMessages.overlap)];
  const right = left + (columns - 1) * pitch_x + width;
  const bottom = top + (rows - 1) * pitch_y + height;
  if (right > A4.width + TOLERANCE) errors.columns = [say(labelMessages.off_page, A4.width)];
  if (bottom > A4.height + TOLERANCE) errors.rows = [say(labelMessages.off_page, A4.height)];
  refuseInvalid(errors);
  return sheet;
}
