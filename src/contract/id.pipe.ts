import { Param } from '@nestjs/common';
import type { PipeTransform } from '@nestjs/common';
import { DomainError } from '../common/errors.js';
import { MAX_ID } from './fields.js';

class IdPipe implements PipeTransform<string, number> {
  constructor(private readonly max = MAX_ID) {}

  transform(value: string): number {
    const id = /^\d{1,16}$/.test(value) ? Number(value) : 0;
    if (id < 1 || id > this.max) throw new DomainError('not-found');
    return id;
  }
}

/** The id in a path. Anything that cannot be one is not found, like a row that is not there. */
export const IdInPath = (): ParameterDecorator => Param('id', new IdPipe());

/** Another id of the same path. */
export const NamedIdInPath = (name: string): ParameterDecorator => Param(name, new IdPipe());

/** One that may outgrow 32 bits. */
export const LongIdInPath = (name: string): ParameterDecorator =>
  Param(name, new IdPipe(Number.MAX_SAFE_INTEGER));
