/** A random UUID for an Idempotency-Key, also where `crypto.randomUUID` is missing, as in React Native. */
export function idempotencyKey(): string {
  const { crypto } = globalThis as { crypto?: { randomUUID?: () => string } };
  // Of one user's keys of a day no two may be the same; nobody has to be kept from guessing one.
  const digit = () => Math.floor(Math.random() * 16).toString(16);
  return crypto?.randomUUID?.() ?? 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, digit);
}
