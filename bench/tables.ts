import type { Browsing } from './browsing.js';
import { number, spread, table } from './format.js';
import type { Import, Importing } from './importing.js';
import type { Long } from './long.js';
import type { Opening, Waits } from './opening.js';
import type { Resting } from './resting.js';
import type { Sending } from './sending.js';
import { PHOTOS } from './uploading.js';
import type { Uploading } from './uploading.js';

// A table for each of what is no scenario.

export function openingTable(sizes: Opening[]): string {
  const heading = [
    'purchases',
    'loaded in s',
    'alone, s',
    'beside both, s',
    'scans before, ms',
    'meanwhile',
    'look-ups before, ms',
    'meanwhile',
  ];
  const waits = ({ p99, longest }: Waits) => `${number(p99)} (${number(longest)})`;
  const rows = sizes.map((size) => [
    size.name,
    number(size.loaded, 1),
    number(size.alone, 2),
    number(size.underLoad, 2),
    waits(size.scansBefore),
    waits(size.scansMeanwhile),
    waits(size.readsBefore),
    waits(size.readsMeanwhile),
  ]);
  return table(heading, rows);
}

export const uploadingTable = (sizes: Uploading[]): string =>
  table(
    ['purchases', 's', 'photos/s', 'MiB of one', 'RSS MiB'],
    sizes.map(({ name, seconds, size, grown }) => [
      name,
      number(seconds, 1),
      number(PHOTOS / seconds, 1),
      number(size, 1),
      `+${number(grown)}`,
    ]),
  );

export const restingTable = (sizes: Resting[]): string =>
  table(
    ['purchases', 'ready', 'after a campaign', 'a minute later', 'after an export', 'a minute later'],
    sizes.map(({ name, ready, campaign, exported }) => [
      name,
      ...[ready, campaign.after, campaign.later, exported.after, exported.later].map((held) => number(held)),
    ]),
  );

export const sendingTable = (sizes: Sending[]): string =>
  table(
    ['purchases', 'scans/s without', 'with', 'to it', 'messages/s', 'RSS MiB'],
    sizes.map(({ name, without, with: told, ratio, messages, grown }) => [
      name,
      number(without),
      number(told),
      spread(ratio, 2),
      number(messages),
      `+${number(grown)}`,
    ]),
  );

export const browsingTable = (found: Browsing): string =>
  table(
    [
      'things',
      'the app',
      'its things',
      'takes a key',
      'all on the phone',
      'online p50, p95',
      'offline p50, p95',
      'queue sent',
    ],
    [
      [
        number(found.purchases),
        `${number(found.size.app)} kB`,
        `${number(found.size.pack)} kB`,
        `${number(found.interactive, 2)} s`,
        `${number(found.pack, 1)} s`,
        ...[found.online, found.offline].map(({ p50, p95 }) => `${number(p50)}, ${number(p95)} ms`),
        `${number(found.queue, 1)} s`,
      ],
    ],
  );

export function longTable(sizes: { name: string; answers: Long[] }[]): string {
  const rows = sizes[0]!.answers.map(({ title }, row) => [
    title,
    ...sizes.map(({ answers }) => {
      const { seconds, size, grown } = answers[row]!;
      return `${number(seconds, 2)} s, ${number(size, 1)} MiB (+${number(grown)})`;
    }),
  ]);
  return table(['', ...sizes.map(({ name }) => name)], rows);
}

export function importingTable(sizes: Importing[]): string {
  const titles = ['new', 'again', 'CSV over HTTP', 'XLSX over HTTP'];
  const heading = ['lines', ...titles.flatMap((title) => [`${title}, s`, 'RSS MiB'])];
  const figures = ({ seconds, rss }: Import) => [number(seconds, 1), number(rss)];
  return table(
    heading,
    sizes.map(({ lines, fresh, again, csv, xlsx }) => [
      number(lines),
      ...[fresh, again, csv, xlsx].flatMap(figures),
    ]),
  );
}
