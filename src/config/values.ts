/** What settings may be, where a pattern alone does not say it. */

/** Abbreviations and offsets mean one thing to Node.js and another to PostgreSQL: CET has a summer only for one of them. */
export function isTimeZone(value: unknown): boolean {
  if (typeof value !== 'string' || !/^(UTC|[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+)$/.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).format() !== '';
  } catch {
    return false;
  }
}

/** As browsers send it; apps in a web view have schemes of their own, which URL gives no origin. */
export function isOrigin(value: unknown): boolean {
  const text = String(value);
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#*@]+$/.test(text) || !URL.canParse(text)) return false;
  return !/^https?:/.test(text) || new URL(text).origin === text;
}

/** Whose name, password and database can be read: a `%` by itself in a password cannot. */
export function isDatabaseUrl(value: unknown): boolean {
  const text = String(value);
  if (!/^postgres(ql)?:\/\/\S+$/.test(text) || !URL.canParse(text)) return false;
  const { username, password, pathname } = new URL(text);
  return [username, password, pathname].every(isEncoded);
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Such as name=value, percent-encoded. */
export const isPair = (text: string): boolean =>
  /^\s*[^\s=]+\s*=\s*[^\s=][^\s]*\s*$/.test(text) && isEncoded(text);
