/**
 * In the WHERE of a change that nobody waits for: it commits without waiting for the disk or for other servers, and gives
 * its connection to those who ask. Where the server dies, the last of such changes may be lost, without harm.
 */
export const AT_ONCE = `(SELECT set_config('synchronous_commit', 'off', true)) IS NOT NULL`;
