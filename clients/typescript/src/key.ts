/** A random UUID for an Idempotency-Key, also where `crypto.randomUUID` is missing, as in React Native. */
export function idempotencyKey(): string {
  const { crypto } = globalThis as { crypto?: { randomUUID?: () => string } };
  // Of one organisation's keys no two may be the same; nobody has to be kept from guessing one. The Math.random() of
  // some engines has but 2^31 states, too few for all scans of many phones: the instant goes in as well.
  const now = Date.now().toString(16).padStart(12, '0');
  const digit = () => Math.floor(Math.random() * 16).toString(16);
  return (
    crypto?.randomUUID?.() ?? `${now.slice(0, 8)}-${now.slice(8)}-4xxx-8xxx-xxxxxxxxxxxx`.replace(/x/g, digit)
  );
}
