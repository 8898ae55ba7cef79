import { Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, CurrentUser } from '../auth/access.js';
import type { Principal } from '../auth/access.js';
import type { Language } from '../common/messages.js';
import { Creating, Creation } from '../contract/creation.js';
import { IdInPath } from '../contract/id.pipe.js';
import { Operation, PageOperation } from '../contract/openapi.js';
import { TABLE_TYPES } from '../contract/content.js';
import { pageOf } from '../contract/resource.js';
import { CheckedQuery } from '../contract/validation.pipe.js';
import type { Download } from '../http/download.js';
import { Preferred } from '../http/language.js';
import { API_PREFIX } from '../http/routes.js';
import { TakesFile } from '../http/takes-file.js';
import { Incoming, IncomingFile } from '../http/upload.js';
import type { Import } from './import.entity.js';
import {
  ImportDto,
  ImportProgressDto,
  ImportQuery,
  ImportsQuery,
  toImport,
  toProgress,
} from './imports.dto.js';
import { ImportsService } from './imports.service.js';
import { KindPipe } from './kind.pipe.js';

@ApiTags('Imports')
@Controller('imports')
export class ImportsController {
  constructor(private readonly imports: ImportsService) {}

  @Access('imports.run')
  @Post(':id')
  @TakesFile({ types: Object.values(TABLE_TYPES), example: 'name\nDell\nLenovo\n' })
  @Operation({
    id: 'importFile',
    summary: 'Import a file',
    description:
      'CSV in any encoding and with any separator, or an Excel workbook (XLSX), as the field `file` of a form or as the whole body. Answers at once; `Location` tells how far it is. The header names the fields of the API, in English or French or as the preset of `format` has them; columns that nobody knows are left out and told. How dates and amounts are written is decided for a whole column, from all its rows; where they leave it open, the file is refused with both readings. All lines are written, or none. A row is updated when its natural key is known: the reference, else the name; of a purchase and a place the code.',
    answer: ImportDto,
    status: 202,
    errors: ['not-found', 'unsupported-media-type', 'body-too-large'],
  })
  start(
    @Param('id', KindPipe) kind: string,
    @CheckedQuery() query: ImportQuery,
    @IncomingFile() incoming: Incoming,
    @Creating() creation: Creation,
    @Preferred('en') language: Language,
  ): Promise<ImportDto> {
    const answer = (row: Import) => toImport(row, language);
    return this.imports.start(kind, query, creation.of({ answer }, `${API_PREFIX}/imports`), incoming);
  }

  @Access('imports.run')
  @Get()
  @PageOperation({
    id: 'listImports',
    summary: 'List imports',
    description: 'One’s own; those of all for who may read the audit log. Kept for 90 days.',
    answer: ImportProgressDto,
  })
  list(
    @CheckedQuery() query: ImportsQuery,
    @CurrentUser() user: Principal,
    @Preferred('en') language: Language,
  ) {
    return pageOf({ answer: (row) => toProgress(row, language) }, this.imports.list(query, user));
  }

  @Access('imports.run')
  @Get(':id')
  @Operation({
    id: 'getImport',
    summary: 'How far an import is',
    description:
      '`checking` while it is read and checked, `writing`, then `done`; `checked` after a dry run, `refused` when lines were wrong, `failed` when it could not end, as when the service was stopped. Nothing was written unless it is `done`.',
    answer: ImportDto,
    errors: ['not-found'],
  })
  async get(
    @IdInPath() id: number,
    @CurrentUser() user: Principal,
    @Preferred('en') language: Language,
  ): Promise<ImportDto> {
    return toImport(await this.imports.get(id, user), language);
  }

  @Access('imports.run')
  @Get(':id/errors.csv')
  @Operation({
    id: 'getRefusedLines',
    summary: 'The refused lines of an import',
    description:
      'As they came, with a last column that says why, between semicolons in French. Mend them and send them again; that column is left out then.',
    answer: ImportDto,
    table: 'Fournisseur,errors\r\nTy Resau,Fournisseur: matches nothing: Ty Resau\r\n',
    errors: ['not-found'],
  })
  errors(
    @IdInPath() id: number,
    @CurrentUser() user: Principal,
    @Preferred('en') language: Language,
  ): Promise<Download> {
    return this.imports.errors(id, user, language);
  }
}
