import { Injectable, Param } from '@nestjs/common';
import type { PipeTransform } from '@nestjs/common';
import { DomainError } from '../common/errors.js';
import { MAX_ID } from './fields.js';

@Injectable()
class IdPipe implements PipeTransform<string, number> {
  transform(value: string): number {
    const id = /^\d{1,10}$/.test(value) ? Number(value) : 0;
    if (id < 1 || id > MAX_ID) throw new DomainError('not-found');
    return id;
  }
}

/** The id in a path. Anything that cannot be one is not found, like a row that is not there. */
export const IdInPath = (): ParameterDecorator => Param('id', IdPipe);
