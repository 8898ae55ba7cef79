import { setFlagsFromString } from 'node:v8';

// By default V8 lets a heap of 45 MB grow to four times that before it collects it: under load 253 MiB resident, 211 with
// 100, 192 with 40 and 182 with 20, which answers 2 % fewer scans a second than 40 and 6 % fewer pages of purchases.
setFlagsFromString('--heap-growing-percent=20');

// Marks between the requests, rather than by three threads that take the cores from PostgreSQL and the main thread for 50 ms:
// on two cores the p99 of 2 000 scans a second is 16 ms rather than 27, and 3 360 are answered at most rather than 3 550.
setFlagsFromString('--no-concurrent-marking');

// As Node.js 20 has it. While it marks, Node.js 24 would collect nothing that is young: for half a second of it, in which what a
// hundred MB of requests have left gets old, and 300 MiB are resident after a campaign rather than 206.
setFlagsFromString('--no-separate-gc-phases');

// While many requests wait, V8 takes what they make for what will live long, and makes it from then on where only a
// collection of the whole heap reaches it, and what it refers to: of a scan 4.6 kB, without that 1.4; of a look-up 3.9 and 2.1.
setFlagsFromString('--no-allocation-site-pretenuring');

// pg asks whether it runs at Cloudflare, and where nothing says what runs it, as before Node.js 21, it makes a Response to find
// out, for which Node.js loads its fetch(): 161 MiB four seconds after a start, 156 so (medians of five in turn).
(globalThis as { navigator?: object }).navigator ??= {
  userAgent: `Node.js/${process.versions.node.split('.')[0]!}`,
};
