import { Catch } from '@nestjs/common';
import type { ArgumentsHost } from '@nestjs/common';
import { DomainError } from '../common/errors.js';
import { ProblemFilter } from '../http/problem.filter.js';
import type { AppRequest } from '../http/request.js';
import { Refusals } from './refusals.js';

/** Whoever is refused, by the guard or by what he asked for, is in the audit log before he is told. */
@Catch()
export class RefusalFilter extends ProblemFilter {
  constructor(private readonly refusals: Refusals) {
    super();
  }

  override catch(error: unknown, host: ArgumentsHost): void | Promise<void> {
    if (!(error instanceof DomainError) || error.code !== 'forbidden') return super.catch(error, host);
    const request = host.switchToHttp().getRequest<AppRequest>();
    return this.refusals.of(request, error).then(
      () => super.catch(error, host),
      (tooMany: unknown) => super.catch(tooMany, host),
    );
  }
}
