import { Body, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../auth/access.js';
import { IdInPath } from '../common/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../common/openapi.js';
import { toPage } from '../common/pagination.js';
import { API_PREFIX } from '../common/routes.js';
import {
  CreateArticleDto,
  ArticleDto,
  ArticleQuery,
  UpdateArticleDto,
  toArticleDto,
} from './articles.dto.js';
import { ArticlesService } from './articles.service.js';

@ApiTags('Articles')
@Controller('articles')
export class ArticlesController {
  constructor(private readonly articles: ArticlesService) {}

  @Access('articles.view')
  @Get()
  @PageOperation({ id: 'listArticles', summary: 'List articles', answer: ArticleDto })
  async list(@Query() query: ArticleQuery) {
    return toPage(await this.articles.list(query), toArticleDto);
  }

  @Access('articles.create')
  @Post()
  @Operation({
    id: 'createArticle',
    summary: 'Create an article',
    answer: ArticleDto,
    status: 201,
  })
  async create(
    @Body() body: CreateArticleDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ArticleDto> {
    const article = await this.articles.create(body);
    response.location(`${API_PREFIX}/articles/${article.id}`);
    return toArticleDto(article);
  }

  @Access('articles.view')
  @Get(':id')
  @Operation({ id: 'getArticle', summary: 'One article', answer: ArticleDto, errors: ['not-found'] })
  async get(@IdInPath() id: number): Promise<ArticleDto> {
    return toArticleDto(await this.articles.get(id));
  }

  @Access('articles.update')
  @Patch(':id')
  @Operation({
    id: 'updateArticle',
    summary: 'Change an article',
    answer: ArticleDto,
    errors: ['not-found'],
  })
  async update(@IdInPath() id: number, @Body() body: UpdateArticleDto): Promise<ArticleDto> {
    return toArticleDto(await this.articles.update(id, body));
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
  async delete(@IdInPath() id: number): Promise<DeletedDto> {
    await this.articles.delete(id);
    return { id, deleted: true };
  }
}
