/** Millimetres. Where labels lie on a page; of a roll, a page is a label. */
export interface Sheet {
  page: { width: number; height: number };
  /** Of a label. */
  width: number;
  height: number;
  columns: number;
  rows: number;
  /** Of the first label. */
  left: number;
  top: number;
  /** From the beginning of a label to that of the next. */
  pitch_x: number;
  pitch_y: number;
}

export const MM_PER_INCH = 25.4;

export const A4 = { width: 210, height: 297 };

/** By the names that Avery has for them; the last is a roll. */
export const SHEETS = {
  l7160: a4({
    width: 63.5,
    height: 38.1,
    columns: 3,
    rows: 7,
    left: 7.25,
    top: 15.15,
    pitch_x: 66,
    pitch_y: 38.1,
  }),
  l4731: a4({
    width: 25.4,
    height: 10,
    columns: 7,
    rows: 27,
    left: 8.6,
    top: 13.5,
    pitch_x: 27.9,
    pitch_y: 10,
  }),
  l7636: a4({
    width: 45.7,
    height: 21.2,
    columns: 4,
    rows: 12,
    left: 9.7,
    top: 21.5,
    pitch_x: 48.3,
    pitch_y: 21.2,
  }),
  '62mm': {
    page: { width: 62, height: 29 },
    width: 62,
    height: 29,
    columns: 1,
    rows: 1,
    left: 0,
    top: 0,
    pitch_x: 62,
    pitch_y: 29,
  },
} as const satisfies Record<string, Sheet>;
export type SheetName = keyof typeof SHEETS;

export function a4(labels: Omit<Sheet, 'page'>): Sheet {
  return { page: A4, ...labels };
}

/** Page, and millimetres from its left and top, of the label at a place that counts from 0. */
export function placeOf(sheet: Sheet, at: number): { page: number; x: number; y: number } {
  const onPage = at % (sheet.columns * sheet.rows);
  return {
    page: Math.floor(at / (sheet.columns * sheet.rows)),
    x: sheet.left + (onPage % sheet.columns) * sheet.pitch_x,
    y: sheet.top + Math.floor(onPage / sheet.columns) * sheet.pitch_y,
  };
}
