import { Transform } from 'class-transformer';
import { IsInt, Matches, Max, Min, ValidateBy, ValidateIf } from 'class-validator';
import { isDatabaseUrl, isPair } from './values.js';

const Digits = Transform(({ value }) => (/^-?\d+$/.test(String(value)) ? Number(value) : (value as unknown)));

export const Whole =
  (min: number, max: number): PropertyDecorator =>
  (settings, name) => {
    for (const decorate of [Digits, Max(max), Min(min), IsInt()]) decorate(settings, name);
  };

export const List = () =>
  Transform(({ value }) =>
    typeof value === 'string' ? value.split(',').map((part) => part.trim()) : (value as unknown),
  );

export const DatabaseUrl = (name: string) =>
  ValidateBy({
    name: 'databaseUrl',
    validator: {
      validate: isDatabaseUrl,
      defaultMessage: () => `${name} must be a postgres:// address, percent-encoded`,
    },
  });

export const Pairs = (name: string) =>
  ValidateBy({
    name: 'pairs',
    validator: {
      validate: (value) => String(value).split(',').every(isPair),
      defaultMessage: () => `${name} must be a list such as name=value,other=value, percent-encoded`,
    },
  });

/** Such as s3+https://host/bucket/prefix. */
export const Bucket = (name: string) =>
  ValidateBy({
    name: 'bucket',
    validator: {
      validate: (value) =>
        /^s3\+https?:\/\/[^\s/?#@]+\/[^\s/?#]+(\/[^\s/?#]+)*\/?(\?region=[\w-]+)?$/.test(String(value)) &&
        URL.canParse(String(value).slice('s3+'.length)),
      defaultMessage: () =>
        `${name} must be a bucket such as s3+https://host/bucket/prefix, with ?region=… where it has one`,
    },
  });

/** What FILES_URL cannot be without. */
export const KeyOfFiles =
  (): PropertyDecorator =>
  (settings, name): void => {
    ValidateIf((env: { FILES_URL?: string }) => env.FILES_URL !== undefined)(settings, name);
    Matches(/^\S+$/, { message: `${String(name)} must be set where FILES_URL is` })(settings, name);
  };
