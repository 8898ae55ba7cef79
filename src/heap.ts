import { setFlagsFromString } from 'node:v8';

// By default V8 lets a heap of 45 MB grow to four times that before it collects it: under load 253 MiB resident, and
// 186 with this (npm run bench -- --scenario campaign --rounds 2); importing 100 000 lines, 245 and 185 (--scenario import).
setFlagsFromString('--heap-growing-percent=100');
