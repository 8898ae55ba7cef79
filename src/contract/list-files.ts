import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';

/** Makes files of lists; see src/exports, of which the contract knows nothing. */
export abstract class ListFiles implements NestInterceptor {
  abstract intercept(context: ExecutionContext, next: CallHandler): Observable<unknown>;
}

/** For the routes of lists alone: bound to all, it takes a twentieth of the time of a look-up. */
@Injectable()
export class ListInterceptor implements NestInterceptor {
  constructor(private readonly files: ListFiles) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return this.files.intercept(context, next);
  }
}
