import { Injectable, RequestMethod } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { NextFunction, Response } from 'express';
import { isPreflight } from './cors.js';
import { DomainError } from '../common/errors.js';
import { say } from '../common/messages.js';
import { problemOfHead } from './head.js';
import { writeProblem } from './problem.filter.js';
import type { AppRequest, RouteEntry } from './request.js';
import { problems } from '../common/problems.js';

export const API_PREFIX = '/api/v1';

/** Swagger UI with its document, and the app in the browser, whose addresses below /app are its own. */
const PAGES = [
  ...['/docs', '/docs/{file}', '/openapi.json'],
  ...['/app', '/app/assets/{file}', '/app/{page}', '/app/{page}/{id}', '/app/{page}/{id}/{part}'],
];

export interface Route {
  method: string;
  template: string;
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- a Nest handler or controller class
  handler: Function;
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
  controller: Function;
}

/** Which routes there are, read once from the controllers: for 404 and 405 before anything else, and for labels. */
@Injectable()
export class RouteTable implements OnApplicationBootstrap {
  readonly routes: Route[] = [];
  private readonly byLength = new Map<number, RouteEntry[]>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly config: ApplicationConfig,
  ) {}

  onApplicationBootstrap(): void {
    for (const { metatype } of this.discovery.getControllers()) {
      const prototype = (metatype as { prototype: object }).prototype as Record<string, Route['handler']>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[name] as Route['handler'];
        const path = Reflect.getMetadata('path', handler) as string | undefined;
        if (path === undefined) continue;
        const base = Reflect.getMetadata('path', metatype as object) as string;
        const method = RequestMethod[Reflect.getMetadata('method', handler) as number] as string;
        const template = this.templateOf(base, path);
        this.entry(template).methods.add(method);
        this.routes.push({ method, template, handler, controller: metatype as Route['controller'] });
      }
    }
    // Pages and their files are served by middleware, not by controllers.
    for (const path of PAGES) this.entry(path).methods.add('GET');
  }

  match(path: string): RouteEntry | undefined {
    if (path.includes('//')) return undefined; // the router takes it literally too
    const segments = path.slice(1, path.endsWith('/') ? -1 : undefined).split('/');
    return this.byLength.get(segments.length)?.find((entry) => fits(entry.segments, segments));
  }

  private templateOf(base: string, path: string): string {
    const local = `/${[base, path].flatMap(split).join('/')}`.replace(/:(\w+)/g, '{$1}');
    const isOutside = this.config
      .getGlobalPrefixOptions()
      .exclude?.some((route) => route.pathRegex.test(local));
    return isOutside ? local : API_PREFIX + (local === '/' ? '' : local);
  }

  private entry(template: string): RouteEntry {
    const segments = split(template).map((part) => (part.startsWith('{') ? null : part));
    const entries = this.byLength.get(segments.length) ?? [];
    this.byLength.set(segments.length, entries);
    const known = entries.find((entry) => entry.template === template);
    if (known) return known;
    const entry: RouteEntry = { template, segments, methods: new Set() };
    entries.push(entry);
    // Literal segments win over parameters.
    entries.sort((a, b) => Number(a.template.includes('{')) - Number(b.template.includes('{')));
    return entry;
  }

  /** Middleware: 404 and 405 come before the body is looked at, and before anyone is asked who they are. */
  readonly guard = (request: AppRequest, response: Response, next: NextFunction): void => {
    const problem = problemOfHead(request);
    if (problem) {
      writeProblem(request, response, problem);
      return;
    }
    request.entry = isDecodable(request.path) ? this.match(request.path) : undefined;
    if (!request.entry) {
      writeProblem(request, response, new DomainError('not-found'));
      return;
    }
    const methods = request.entry.methods;
    if (methods.has(request.method) || (request.method === 'HEAD' && methods.has('GET'))) {
      next();
      return;
    }
    if (isPreflight(request, response)) {
      response.status(204).end();
      return;
    }
    const allow = [...methods]
      .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      .join(', ');
    writeProblem(
      request,
      response,
      new DomainError('method-not-allowed', {
        detail: say(problems['method-not-allowed'].detail, allow),
        headers: { Allow: allow },
      }),
    );
  };
}

/** From the end, since all paths begin alike: every request comes by here. */
function fits(template: RouteEntry['segments'], path: string[]): boolean {
  for (let at = template.length - 1; at >= 0; at--)
    if (template[at] !== null && template[at] !== path[at]) return false;
  return true;
}

function split(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
