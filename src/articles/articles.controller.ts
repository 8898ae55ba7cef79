import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '../database/audit.js';
import { CurrentActor } from '../http/actor.js';
import { Access } from '../auth/access.js';
import { Creating, Creation } from '../contract/creation.js';
import { Change, Changing, Reply, Replying, pageOf } from '../contract/resource.js';
import { isWalk } from '../contract/walk.js';
import { IdInPath } from '../contract/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../contract/openapi.js';
import { CheckedBody, CheckedQuery } from '../contract/validation.pipe.js';
import { FILTERS_DESCRIPTION } from '../fields/filters.js';
import {
  ArticleDto,
  ArticleQuery,
  CreateArticleDto,
  UpdateArticleDto,
  article,
  articleRow,
} from './articles.dto.js';
import { ArticlesService } from './articles.service.js';

@ApiTags('Articles')
@Controller('articles')
export class ArticlesController {
  constructor(private readonly articles: ArticlesService) {}

  @Access('articles.view', { deleted: 'articles.delete' })
  @Get()
  @PageOperation({
    id: 'listArticles',
    summary: 'List articles',
    description: `Inactive articles included: \`is_active\` is for pick lists and hides nothing. ${FILTERS_DESCRIPTION}`,
    answer: ArticleDto,
  })
  list(@CheckedQuery() query: ArticleQuery) {
    if (isWalk(query)) return this.articles.walk(query);
    return pageOf(articleRow, this.articles.list(query));
  }

  @Access('articles.create')
  @Post()
  @Operation({
    id: 'createArticle',
    summary: 'Create an article',
    description:
      'Two articles may have the same name or reference. Brand and categories must exist: they are kept by the importer and by who has `reference.manage`.',
    answer: ArticleDto,
    status: 201,
  })
  create(@CheckedBody() body: CreateArticleDto, @Creating() creation: Creation): Promise<ArticleDto> {
    return this.articles.create(body, creation.of(article));
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
  get(@IdInPath() id: number, @Replying() reply: Reply): Promise<ArticleDto> {
    return reply.of(article, this.articles.get(id));
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
  update(
    @IdInPath() id: number,
    @CheckedBody() body: UpdateArticleDto,
    @Changing() change: Change,
  ): Promise<ArticleDto> {
    return change.update(article, (by) => this.articles.update(id, body, by));
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
  delete(@IdInPath() id: number, @Changing() change: Change): Promise<DeletedDto> {
    return change.delete(article, id, (by) => this.articles.delete(id, by));
  }

  @Access('articles.delete')
  @Post(':id/restore')
  @Operation({
    id: 'restoreArticle',
    summary: 'Take the deletion of an article back',
    description:
      'One that is not deleted stays as it is. Refused while its brand or a category of it is deleted.',
    answer: ArticleDto,
    tagged: true,
    errors: ['not-found', 'refers-to-deleted'],
  })
  restore(
    @IdInPath() id: number,
    @CurrentActor() actor: Actor,
    @Replying() reply: Reply,
  ): Promise<ArticleDto> {
    return reply.of(article, this.articles.restore(id, actor));
  }
}
