/** What a label has room for. */
export const MAX_CODE = 64;

/** Any printable character: no control characters, line or paragraph separators. */
export const isPrintable = (code: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(code);
