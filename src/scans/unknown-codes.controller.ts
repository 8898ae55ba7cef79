import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { IdInPath, LongIdInPath } from '../contract/id.pipe.js';
import { Operation, PageOperation } from '../contract/openapi.js';
import { pageOf } from '../contract/resource.js';
import { CheckedBody, CheckedQuery } from '../contract/validation.pipe.js';
import type { Caller } from '../database/audit.js';
import { CurrentActor } from '../http/actor.js';
import {
  DismissCodeDto,
  LinkCodeDto,
  UnknownCodeDto,
  UnknownCodeQuery,
  toUnknownCodeDto,
} from './unknown-codes.dto.js';
import { UnknownCodesService } from './unknown-codes.service.js';

@ApiTags('Inventory sessions')
@Controller('inventories')
export class UnknownCodesController {
  constructor(private readonly codes: UnknownCodesService) {}

  @Access('inventories.view')
  @Get(':id/unknown-codes')
  @PageOperation({
    id: 'listUnknownCodes',
    summary: 'Codes that were read and nobody knows',
    description:
      'Each once, however often it was read: when, by whom and where. Past 10 000 open ones of a session, others are answered but not kept.',
    answer: UnknownCodeDto,
    errors: ['not-found'],
  })
  list(@IdInPath() id: number, @CheckedQuery() query: UnknownCodeQuery) {
    return pageOf({ answer: toUnknownCodeDto }, this.codes.list(id, query));
  }

  @Access('inventories.review')
  @Post(':id/unknown-codes/:uid/link')
  @Operation({
    id: 'linkUnknownCode',
    summary: 'Say on which purchase a code hangs',
    description:
      'The purchase counts as scanned as the code was first read (when, by whom, where, in which condition and with which note), unless it was scanned already; and the code is one of its codes from now on, in every session and for ever.',
    answer: UnknownCodeDto,
    errors: ['not-found', 'already-decided', 'session-closed'],
  })
  async link(
    @IdInPath() id: number,
    @LongIdInPath('uid') uid: number,
    @CheckedBody() { purchase_id }: LinkCodeDto,
    @CurrentActor() caller: Caller,
  ): Promise<UnknownCodeDto> {
    return toUnknownCodeDto(await this.codes.link(id, uid, purchase_id, caller));
  }

  @Access('inventories.review')
  @Post(':id/unknown-codes/:uid/dismiss')
  @Operation({
    id: 'dismissUnknownCode',
    summary: 'Say that a code is none of ours',
    description: 'It stays dismissed when it is read again, and goes on counting.',
    answer: UnknownCodeDto,
    errors: ['not-found', 'already-decided', 'session-closed'],
  })
  async dismiss(
    @IdInPath() id: number,
    @LongIdInPath('uid') uid: number,
    @CheckedBody() { reason }: DismissCodeDto,
    @CurrentActor() caller: Caller,
  ): Promise<UnknownCodeDto> {
    return toUnknownCodeDto(await this.codes.dismiss(id, uid, reason, caller));
  }

  @Access('inventories.review')
  @Post(':id/unknown-codes/:uid/reopen')
  @Operation({
    id: 'reopenUnknownCode',
    summary: 'Take a dismissal back',
    description: 'A link cannot be taken back: scans have found its purchase by the code.',
    answer: UnknownCodeDto,
    errors: ['not-found', 'already-decided', 'session-closed'],
  })
  async reopen(
    @IdInPath() id: number,
    @LongIdInPath('uid') uid: number,
    @CurrentActor() caller: Caller,
  ): Promise<UnknownCodeDto> {
    return toUnknownCodeDto(await this.codes.reopen(id, uid, caller));
  }
}
