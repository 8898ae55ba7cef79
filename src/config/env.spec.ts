import { EnvError, loadEnv } from './env.js';

describe('reliability-30-settings', () => {
  it('have defaults', () => {
    expect(loadEnv({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      TOKEN_TTL_DAYS: 30,
      CODE_PREFIX: 'INV',
      TIME_ZONE: 'Europe/Paris',
      FISCAL_YEAR_START: '01-01',
      IMPORT_MAX_MB: 64,
      TRUST_PROXY: 0,
      LOG_LEVEL: 'info',
    });
    expect(loadEnv({}).DATABASE_URL).toBeUndefined();
    expect(loadEnv({ PORT: '', DATABASE_URL: '' })).toEqual(loadEnv({}));
  });

  it('are read from the environment', () => {
    const given = {
      PORT: '0',
      HOST: '0.0.0.0',
      DATABASE_URL: 'postgresql://u:p@db/x',
      TIME_ZONE: 'Pacific/Auckland',
    };
    expect(loadEnv(given)).toMatchObject({ ...given, PORT: 0 });
  });

  it('take an address with what is special percent-encoded', () => {
    const DATABASE_URL = 'postgres://u%40d:100%25%2f%C3%A9@db/x%20y?application_name=100%';
    expect(loadEnv({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
  });

  it('take every time zone that has an area and a place', () => {
    for (const name of ['UTC', 'Etc/GMT+12', ...Intl.supportedValuesOf('timeZone')])
      expect(loadEnv({ TIME_ZONE: name }).TIME_ZONE).toBe(name);
  });

  it('take as the first of a fiscal year every day that each year has', () => {
    const days = Array.from({ length: 365 }, (_, day) =>
      new Date(Date.UTC(2001, 0, 1 + day)).toISOString().slice(5, 10),
    );
    for (const day of days) expect(loadEnv({ FISCAL_YEAR_START: day }).FISCAL_YEAR_START).toBe(day);
  });

  it('take origins as a list', () => {
    const origins = ['https://app.example.org', 'http://localhost:5173', 'capacitor://localhost'];
    expect(loadEnv({ CORS_ORIGINS: origins.join(', ') }).CORS_ORIGINS).toEqual(origins);
    expect(loadEnv({}).CORS_ORIGINS).toEqual([]);
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3e3'],
    ['PORT', '80 80'],
    ['HOST', 'a b'],
    ['DATA_DIR', ' '],
    ['DATABASE_URL', 'mysql://db/x'],
    ['DATABASE_URL', 'postgres://127.0.0.1:99999/x'],
    ['DATABASE_URL', 'postgres://u:100%@db/x'],
    ['DATABASE_URL', 'postgres://u:p@db/%zz'],
    ['DATABASE_REPLICA_URL', 'postgres://u%:p@db/x'],
    ['ORGANISATION', 'a\nb'],
    ['FILES_URL', 'https://s3.example.org/bucket'],
    ['FILES_URL', 's3+https://s3.example.org/'],
    ['FILES_URL', 's3+https://key:secret@s3.example.org/bucket'],
    ['LABEL_URL', 'inv.example.org/{code}'],
    ['LABEL_URL', 'https://inv.example.org/scan/'],
    ['LABEL_URL', 'https://inv.example.org/?code={code}'],
    ['LABEL_URL', 'https://inv.example.org/{code}/card'],
    ['LABEL_URL', 'https://inv.example.org/scan/x{code}'],
    ['LABEL_URL', 'https://{code}'],
    ['DATABASE_POOL', '0'],
    ['DATABASE_TIMEOUT_MS', '99'],
    ['SESSION_TIMEOUT_MS', 'soon'],
    ['SHUTDOWN_DELAY_MS', '15001'],
    ['TOKEN_TTL_DAYS', '0'],
    ['TOKEN_TTL_DAYS', '366'],
    ['CODE_PREFIX', 'inv'],
    ['CODE_PREFIX', 'ABCDEFGHIJK'],
    ['TIME_ZONE', 'Europe/Lutetia'],
    ['TIME_ZONE', 'CET'],
    ['TIME_ZONE', 'EET'],
    ['TIME_ZONE', 'EST'],
    ['TIME_ZONE', 'IST'],
    ['TIME_ZONE', 'GMT'],
    ['TIME_ZONE', 'EST5EDT'],
    ['TIME_ZONE', '+02:00'],
    ['TIME_ZONE', 'UTC+2'],
    ['TIME_ZONE', 'Europe'],
    ['FISCAL_YEAR_START', '02-29'],
    ['FISCAL_YEAR_START', '04-31'],
    ['FISCAL_YEAR_START', '13-01'],
    ['FISCAL_YEAR_START', '00-01'],
    ['FISCAL_YEAR_START', '8-1'],
    ['FISCAL_YEAR_START', '2026-08-01'],
    ['TRUST_PROXY', 'true'],
    ['TOKEN_RATE_LIMIT', '-1'],
    ['ADDRESS_RATE_LIMIT', 'none'],
    ['MAX_CONNECTIONS', '9'],
    ['MAX_CONNECTIONS', 'many'],
    ['MAX_CONNECTIONS_PER_ADDRESS', '999'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://*.example.org'],
    ['CORS_ORIGINS', 'https://app.example.org/'],
    ['CORS_ORIGINS', 'https://app.example.org,'],
    ['CORS_ORIGINS', 'https://APP.example.org'],
    ['CORS_ORIGINS', 'https://app.example.org:443'],
    ['CORS_ORIGINS', 'app.example.org'],
    ['CORS_ORIGINS', 'null'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_FORMAT', 'xml'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:99999'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector/?key=hunter2'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'Authorization: Bearer hunter2'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key=%E0%A4%A'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'production'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '10%'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ])('that are wrong are named: %s=%s', (name, value) => {
    expect(() => loadEnv({ [name]: value })).toThrow(EnvError);
    expect(() => loadEnv({ [name]: value })).toThrow(new RegExp(`^${name} [^\n]+$`));
  });

  it('take those of OpenTelemetry as it writes them', () => {
    const given = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.org/otlp',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20aHVudGVyMg==, x-tenant=1',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production,site=Lyon',
      OTEL_SERVICE_NAME: 'recense lyon',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    };
    const env = loadEnv({ ...given, OTEL_TRACES_SAMPLER_ARG: '0.05' });
    expect(env).toMatchObject({ ...given, OTEL_TRACES_SAMPLER_ARG: 0.05 });
  });

  it('say of a number that it is none, before its bounds', () => {
    expect(() => loadEnv({ TRUST_PROXY: 'true' })).toThrow('TRUST_PROXY must be an integer number');
  });

  it('do not show a secret in the message', () => {
    expect(() => loadEnv({ DATABASE_URL: 'postgre://user:hunter2@db/x' })).toThrow(/^(?!.*hunter2)/);
  });
});
