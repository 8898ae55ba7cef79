/**
 * In the WHERE of a change that is nobody's answer: it commits without waiting for the disk and for other servers, since
 * what a server that dies forgets of the last moment is lost without harm. While commits wait, those who ask have its
 * connection.
 */
export const AT_ONCE = `(SELECT set_config('synchronous_commit', 'off', true)) IS NOT NULL`;
