import { Body, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../auth/access.js';
import { CurrentActor } from '../http/actor.js';
import type { Actor } from '../database/audit.js';
import { Creating, Creation } from '../contract/creation.js';
import { Expected, IfMatch, tagged } from '../contract/etag.js';
import { IdInPath } from '../contract/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../contract/openapi.js';
import { toPage } from '../contract/pagination.js';
import {
  ArticleDto,
  ArticleQuery,
  CreateArticleDto,
  UpdateArticleDto,
  articleTag,
  toArticleDto,
} from './articles.dto.js';
import { ArticlesService } from './articles.service.js';

@ApiTags('Articles')
@Controller('articles')
export class ArticlesController {
  constructor(private readonly articles: ArticlesService) {}

  @Access('articles.view')
  @Get()
  @PageOperation({
    id: 'listArticles',
    summary: 'List articles',
    description: 'Inactive articles included: `is_active` is for pick lists and hides nothing.',
    answer: ArticleDto,
  })
  async list(@Query() query: ArticleQuery) {
    return toPage(await this.articles.list(query), toArticleDto);
  }

  @Access('articles.create')
  @Post()
  @Operation({
    id: 'createArticle',
    summary: 'Create an article',
    description:
      'Two articles may have the same name or reference. Brand and categories must exist: the importer keeps them.',
    answer: ArticleDto,
    status: 201,
  })
  create(
    @Body() body: CreateArticleDto,
    @CurrentActor() actor: Actor,
    @Creating() creation: Creation,
  ): Promise<ArticleDto> {
    return this.articles.create(body, actor, creation.as('/articles', articleTag, toArticleDto));
  }

  @Access('articles.view')
  @Get(':id')
  @Operation({
    id: 'getArticle',
    summary: 'One article',
    description: 'With its brand and categories by name. A deleted article is not found.',
    answer: ArticleDto,
    tagged: true,
    errors: ['not-found'],
  })
  async get(@IdInPath() id: number, @Res({ passthrough: true }) response: Response): Promise<ArticleDto> {
    const article = await this.articles.get(id);
    return tagged(response, articleTag(article), toArticleDto(article));
  }

  @Access('articles.update')
  @Patch(':id')
  @Operation({
    id: 'updateArticle',
    summary: 'Change an article',
    description: 'Fields that are left out stay as they are; `null` clears one.',
    answer: ArticleDto,
    tagged: true,
    errors: ['not-found'],
  })
  async update(
    @IdInPath() id: number,
    @Body() body: UpdateArticleDto,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: Expected,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ArticleDto> {
    const article = await this.articles.update(id, body, actor, expected.by(articleTag));
    return tagged(response, articleTag(article), toArticleDto(article));
  }

  @Access('articles.delete')
  @Delete(':id')
  @Operation({
    id: 'deleteArticle',
    summary: 'Delete an article',
    description: 'Refused while live purchases are of it: deactivate it instead.',
    answer: DeletedDto,
    errors: ['not-found', 'in-use'],
  })
  async delete(
    @IdInPath() id: number,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: Expected,
  ): Promise<DeletedDto> {
    await this.articles.delete(id, actor, expected.by(articleTag));
    return { id, deleted: true };
  }
}
