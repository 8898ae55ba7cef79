import { setFlagsFromString } from 'node:v8';

// By default V8 lets a heap of 45 MB grow to four times that before it collects it: under load 253 MiB resident. With 100
// 211, and a look-up takes 286 µs of CPU; with 40 194 and 304, of which the main thread takes as much as before; with 20
// 182 and 320. Exports of a million grow it by 28 MiB rather than 50.
setFlagsFromString('--heap-growing-percent=40');

// While many requests wait, V8 takes what they make for what will live long, and makes it from then on where only a
// collection of the whole heap reaches it, and what it refers to: of a scan 4.6 kB, without that 1.4; of a look-up 3.9 and 2.1.
setFlagsFromString('--no-allocation-site-pretenuring');
