import 'reflect-metadata';
import { Transform, plainToInstance } from 'class-transformer';
import { IsIn, IsOptional, Matches, Max, Min, ValidateBy, validateSync } from 'class-validator';
import ipaddr from 'ipaddr.js';
import { resolve } from 'node:path';
import { Bucket, DatabaseUrl, KeyOfFiles, List, Pairs, Whole } from './kinds.js';
import { isOrigin, isTimeZone } from './values.js';

/** Every setting of the service. A wrong one ends the start with one line that names it. */
export class Env {
  @Whole(0, 65535)
  PORT = 3000;

  @Matches(/^\S+$/, { message: 'HOST must be a host name or an address' })
  HOST = '127.0.0.1';

  /** Absent: the service runs its own PostgreSQL on DATA_DIR. */
  @IsOptional()
  @DatabaseUrl('DATABASE_URL')
  DATABASE_URL?: string;

  /** A standby of DATABASE_URL, or a balancer before several, for what takes long to read. */
  @IsOptional()
  @DatabaseUrl('DATABASE_REPLICA_URL')
  DATABASE_REPLICA_URL?: string;

  /** What stands before DATABASE_URL and gives a connection for each transaction alone: no session keeps anything. */
  @IsOptional()
  @IsIn(['transaction'])
  DATABASE_POOLER?: 'transaction';

  @Matches(/\S/)
  @Transform(({ value }) => /\S/.test(String(value)) && resolve(String(value)))
  DATA_DIR = resolve('.data');

  /** A bucket for photos and papers; absent, they lie in DATA_DIR. */
  @IsOptional()
  @Bucket('FILES_URL')
  FILES_URL?: string;

  @KeyOfFiles()
  FILES_ACCESS_KEY?: string;

  @KeyOfFiles()
  FILES_SECRET_KEY?: string;

  @Whole(1, 100)
  DATABASE_POOL = 10;

  /** Milliseconds that an ordinary statement, lock or connection may take before the answer is 503. */
  @Whole(100, 600_000)
  DATABASE_TIMEOUT_MS = 3000;

  /** The same for opening, closing and removing a session, which touch every line of it. */
  @Whole(1000, 3_600_000)
  SESSION_TIMEOUT_MS = 120_000;

  /** Seconds until a connection is replaced at the latest, so that they spread over a cluster that has changed. */
  @Whole(1, 86_400)
  DATABASE_MAX_AGE_S = 600;

  /** Milliseconds between “not ready” and the closed port: what the load balancer needs to notice. */
  @Whole(0, 15_000)
  SHUTDOWN_DELAY_MS = 0;

  @Whole(1, 365)
  TOKEN_TTL_DAYS = 30;

  @Matches(/^[A-Z0-9]{1,10}$/, { message: 'CODE_PREFIX must be 1 to 10 characters of A-Z and 0-9' })
  CODE_PREFIX = 'INV';

  @ValidateBy({
    name: 'timeZone',
    validator: {
      validate: isTimeZone,
      defaultMessage: () =>
        'TIME_ZONE must be the IANA name of an area and a place, such as Europe/Paris, or UTC',
    },
  })
  TIME_ZONE = 'Europe/Paris';

  /** First day of a fiscal year, of every year. */
  @Matches(
    /^((0[13578]|1[02])-(0[1-9]|[12]\d|3[01])|(0[469]|11)-(0[1-9]|[12]\d|30)|02-(0[1-9]|1\d|2[0-8]))$/,
    { message: 'FISCAL_YEAR_START must be a day that every year has, as MM-DD, such as 09-01' },
  )
  FISCAL_YEAR_START = '01-01';

  /** How many proxies in front add themselves to X-Forwarded-For; a count, since "all" would trust anyone. */
  @Whole(0, 10)
  TRUST_PROXY = 0;

  /** Whose things they are: stands on every label. */
  @Matches(/^\P{Cc}{0,60}$/u, { message: 'ORGANISATION must be a line of at most 60 characters' })
  ORGANISATION = '';

  /** What the QR code of a label opens, with {code} where the code goes; it holds the code alone where none is set. */
  @IsOptional()
  @Matches(/^https?:\/\/[^\s{}?#/]+\/([^\s{}?#]*\/)?\{code\}\/?([?#][^\s{}]*)?$/, {
    message:
      'LABEL_URL must be an address with {code} as its last segment, such as https://inv.example.org/scan/{code}',
  })
  LABEL_URL?: string;

  /** MiB that a file may have which is imported over HTTP. */
  @Whole(1, 1024)
  IMPORT_MAX_MB = 64;

  /** Requests a second of one token, over ten seconds; 0 for no limit. */
  @Whole(0, 1_000_000)
  TOKEN_RATE_LIMIT = 100;

  /** The same for an address, of its logins and of its requests without a good token. */
  @Whole(0, 1_000_000)
  ADDRESS_RATE_LIMIT = 30;

  /** Connections at a time; above it, only health checks are answered. */
  @Whole(10, 1_000_000)
  MAX_CONNECTIONS = 5000;

  /** The same for an address, where no proxy stands in front: a whole site of phones may be behind one. */
  @Whole(1000, 1_000_000)
  MAX_CONNECTIONS_PER_ADDRESS = 3000;

  /** Whose pages may call the service from a browser; none unless they are named. */
  @List()
  @ValidateBy({
    name: 'origins',
    validator: {
      validate: (value) => Array.isArray(value) && value.every(isOrigin),
      defaultMessage: () =>
        'CORS_ORIGINS must be a list of origins such as https://app.example.org, without *',
    },
  })
  CORS_ORIGINS: string[] = [];

  /** Networks to which webhooks may lead although not everybody reaches them. */
  @List()
  @ValidateBy({
    name: 'cidrs',
    validator: {
      validate: (value) => Array.isArray(value) && value.every((part) => ipaddr.isValidCIDR(String(part))),
      defaultMessage: () => 'WEBHOOK_ALLOW must be a list of networks such as 10.1.0.0/16',
    },
  })
  WEBHOOK_ALLOW: string[] = [];

  /** What the secrets of webhooks are encrypted with; of several the first, and the others still decrypt. */
  @List()
  @ValidateBy({
    name: 'keys',
    validator: {
      validate: (value) =>
        Array.isArray(value) && value.every((part) => /^[A-Za-z0-9+/]{43}=$/.test(String(part))),
      defaultMessage: () => 'WEBHOOK_KEY must be 32 bytes in base64, such as `openssl rand -base64 32` makes',
    },
  })
  WEBHOOK_KEY: string[] = [];

  /** How long it is kept what was sent to webhooks, or could not be; longer than they are tried. */
  @Whole(2, 365)
  WEBHOOK_KEEP_DAYS = 14;

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  LOG_LEVEL = 'info';

  @IsIn(['auto', 'json', 'pretty'])
  LOG_FORMAT = 'auto';

  /** Where traces are sent to, by OTLP over HTTP; absent, there are none. These are named and written as OpenTelemetry has it. */
  @IsOptional()
  @ValidateBy({
    name: 'collector',
    validator: {
      validate: (value) => /^https?:\/\/[^\s?#]+$/.test(String(value)) && URL.canParse(String(value)),
      defaultMessage: () =>
        'OTEL_EXPORTER_OTLP_ENDPOINT must be an http:// or https:// address, such as http://localhost:4318',
    },
  })
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  @IsOptional()
  @Pairs('OTEL_EXPORTER_OTLP_HEADERS')
  OTEL_EXPORTER_OTLP_HEADERS?: string;

  @IsOptional()
  @Pairs('OTEL_RESOURCE_ATTRIBUTES')
  OTEL_RESOURCE_ATTRIBUTES?: string;

  @IsOptional()
  OTEL_SERVICE_NAME?: string;

  @IsIn(['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`]))
  OTEL_TRACES_SAMPLER = 'parentbased_always_on';

  /** The share of traces that `traceidratio` keeps. */
  @Transform(({ value }) => (/^[\d.]+$/.test(String(value)) ? Number(value) : (value as unknown)))
  @Min(0)
  @Max(1)
  OTEL_TRACES_SAMPLER_ARG = 1;
}

/** What has no value by default. */
const OPTIONAL = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'DATABASE_POOLER',
  'FILES_URL',
  'FILES_ACCESS_KEY',
  'FILES_SECRET_KEY',
  'LABEL_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_SERVICE_NAME',
];

export class EnvError extends Error {}

/** Reads the settings from `source`; empty strings count as absent. @throws EnvError naming the variable. */
export function loadEnv(source: Record<string, string | undefined> = process.env): Env {
  const known = Object.keys(new Env()).concat(OPTIONAL);
  const given = Object.fromEntries(known.flatMap((name) => (source[name] ? [[name, source[name]]] : [])));
  const env = plainToInstance(Env, given, { exposeDefaultValues: true });
  const wrong = validateSync(env)[0];
  if (wrong) {
    const { isInt, ...others } = wrong.constraints ?? {};
    throw new EnvError(isInt ?? Object.values(others)[0] ?? `${wrong.property} is not valid`);
  }
  return env;
}
