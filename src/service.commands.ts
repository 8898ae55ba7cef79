import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { isUtf8 } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { AppModule } from './app.module.js';
import { createApp } from './app.setup.js';
import { NoChores } from './common/chores.js';
import { UsageError, noArguments } from './common/command-line.js';
import { DomainError } from './common/errors.js';
import { render } from './common/messages.js';
import type { Env } from './config/env.js';
import { projectRoot } from './config/version.js';
import { directly } from './contract/creation.js';
import { validated } from './contract/validation.pipe.js';
import { commandActor } from './database/audit.js';
import { migrate } from './database/migrate.js';
import { buildDocument } from './docs/openapi.js';
import { CreateUserDto } from './users/users.dto.js';
import { UsersService } from './users/users.service.js';

export async function createUser(args: string[], url: string, env: Env): Promise<number> {
  const { email, login, name, role } = options(args, ['email', 'login', 'name', 'role']);
  const password = await readPassword();
  return withServices(url, env, async (services) => {
    const fields = { email, login, name, roles: [role], password };
    const body = validated(CreateUserDto, fields);
    const user = await services
      .get(UsersService)
      .create(body, { actor: commandActor('user:create'), once: directly });
    console.log(`Created user ${user.id}: ${user.login}, ${role}.`);
  });
}

export async function setPassword(args: string[], url: string, env: Env): Promise<number> {
  const { login } = options(args, ['login']);
  const password = await readPassword();
  return withServices(url, env, async (services) => {
    const actor = commandActor('user:password');
    const user = await services.get(UsersService).setPassword(String(login), password, actor);
    console.log(`Changed the password of ${user.login}; all tokens are revoked.`);
  });
}

/** Writes the OpenAPI document, which is committed so that a change of the contract is seen in review. */
export async function writeDocument(args: string[], url: string, env: Env): Promise<number> {
  noArguments('openapi', args);
  await migrate(url);
  const app = await createApp(url, { ...env, LOG_LEVEL: 'silent' });
  writeFileSync(join(projectRoot, 'openapi.json'), `${JSON.stringify(buildDocument(app), null, 2)}\n`);
  await app.close();
  return 0;
}

/** `--name value` for each of `names`, and `--password-stdin`, so that no password stands in a process list. */
function options(args: string[], names: string[]): Record<string, string | undefined> {
  const known: ParseArgsConfig['options'] = { 'password-stdin': { type: 'boolean' } };
  for (const name of names) known[name] = { type: 'string' };
  const usage = `Usage: ${names.map((name) => `--${name} …`).join(' ')} --password-stdin`;
  try {
    const { values } = parseArgs({ args, options: known });
    if (!values['password-stdin'] || names.some((name) => values[name] === undefined))
      throw new UsageError(usage);
    return values as Record<string, string | undefined>;
  } catch {
    throw new UsageError(usage);
  }
}

/** All of standard input but the line end that `echo` adds. @throws UsageError where nobody could type it at a login */
async function readPassword(): Promise<string> {
  const bytes = await buffer(process.stdin);
  const password = bytes.toString().replace(/\r?\n$/, '');
  if (!isUtf8(bytes)) throw new UsageError('password: is not valid UTF-8');
  if (/[\r\n]/.test(password)) throw new UsageError('password: must be one line');
  return password;
}

/** Runs `work` on the migrated database; the messages of a validation error are printed by field, exit code 1. */
export async function withServices(
  url: string,
  env: Env,
  work: (services: INestApplicationContext) => Promise<void>,
): Promise<number> {
  await migrate(url);
  const services = await NestFactory.createApplicationContext(AppModule.on(url, env, NoChores), {
    abortOnError: false,
    logger: ['error'],
  });
  try {
    await work(services);
    return 0;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const errors = error.errors ?? { error: [error.detail] };
    for (const [field, messages] of Object.entries(errors)) {
      console.error(`${field}: ${messages.map((message) => render(message)).join(', ')}`);
    }
    return 1;
  } finally {
    await services.close();
  }
}
