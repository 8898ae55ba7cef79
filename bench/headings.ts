import { number } from './format.js';
import { QUEUED } from './browsing.js';
import { PHONES, PHOTOS } from './uploading.js';

export const INTRODUCTION = `# Results of \`npm run bench\`

Written by it; every figure comes from a run. The load generator, PostgreSQL and the server share the cores, so
ratios count more than the figures themselves, and are nearer to 1 than with machines of their own: how the servers
alone compare, the CPU time of a request tells, and that of its main thread. In every round each server has its turn
while the others are idle. Figures are medians of the rounds, ratios medians of the ratios of each round, with the least
and the greatest in parentheses. Lists by page number have tables of their own and are asked over one connection.`;

export const COMPARED = `## Recense and others

The baselines do the same work: request id, duration histogram, log line, token check with a memory of a second, the
same SQL and the same answer; Nest with TypeORM in its own idiom, with repositories, relations and a transaction, and
without the figures of the session that a scan keeps. They have ten connections to the database in a pool; Recense has
four beside its pool, which take these statements without waiting for the answers to those before, and where more scans
come at once than these it records them by one statement. “Recense to it” is how many times as many requests a second
Recense answers. “Without duties” is what is left of a baseline that does nothing but the statement and its answer: it
asks nobody who he is, logs nothing and measures nothing. “To the first” is how many times as many requests a second as in
the first row Recense answers, in the same round.`;

export const OPEN = `## At a fixed rate

Milliseconds from when a request was due to the end of its answer, whatever had become of those before it: whoever waits
for an answer before he asks again, as above, asks less while a server is slow, and does not notice.`;

export const GROWTH = `## With more purchases

Milliseconds of the service for a request: the time of a turn divided by its requests. The last column is how many
times as long a request takes with the most purchases as with the fewest, round by round.`;

export const PAST = `## With sessions of the past

The same, “+ 20” with 20 closed sessions of 1 000 000 lines each, as they are a day after their closing.`;

export const OPENING = `## Opening a session

Of scans and look-ups over half of the connections each, the p99, and the longest of all rounds in parentheses; from
before the session is opened until a second after it.`;

export const CLOSING = `## Closing a session

The same, of a session of which four fifths are scanned: until what it shows is copied, so that nothing changes it.`;

export const LONG_ANSWERS = `## Long answers

Whole, one at a time: seconds, MiB of the answer, and in parentheses how many MiB more the process held at most than
before.`;

export const RESTING = `## Memory

MiB that a process holds which has just begun: when it is ready, right after a campaign of the seconds of a turn, right
after an export of all purchases as CSV, and a minute after each, in which nobody asks. Of each open session, up to four,
8 MB for a million lines are its progress by category and place.`;

export const IMPORTING = `## Importing purchases

\`npm run import -- purchases\` from the start of its process to its end, once, and the most memory that the process
held. Again: the same file a second time, which changes nothing. Over HTTP: from the request until \`GET /imports/{id}\` says
that it is done, and the most that the service held.`;

export const UPLOADING = `## Photos

${PHOTOS} photos of 12 megapixels from ${PHONES} phones, each to another purchase: until all are answered, which is when they
are turned, stripped, stored and have a thumbnail. In parentheses how many MiB more the process held at most than before.`;

export const SENDING = `## Webhooks

Scans a second without a webhook and with one that is told of each scan, the latter to the former round by round, and
messages a second from the first scan until the last one has come, to a receiver that shares the cores.`;

export const BROWSING = `## In the browser

The app at \`/app\` in Chromium on the same cores: kB that come until the first scan, compressed, of the app and of the
things of the session; seconds until the first page takes a key, at 1.6 Mbit/s and with a processor that is four times
slower, and until all things of the session are on the phone; from the last key of a hand scanner to the answer on the
screen; and until a queue of ${number(QUEUED)} scans is sent.`;
