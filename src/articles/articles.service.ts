import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import type { Creator } from '../contract/creation.js';
import type { Actor } from '../database/audit.js';
import { notFound } from '../common/errors.js';
import type { Changer } from '../contract/etag.js';
import { joinNamed } from '../contract/page-rows.js';
import { paginate } from '../contract/pagination.js';
import type { FilePage } from '../contract/resource.js';
import { createRow, deleteRow, holdReferences, restoreRow, updateRow } from '../contract/rows.js';
import type { RowOf } from '../contract/rows.js';
import { walk } from '../contract/walk.js';
import type { Path } from '../contract/walk.js';
import type { JsonRow } from '../database/json-row.js';
import { Sql } from '../database/sql.js';
import type { JsonPage } from '../http/json-page.js';
import { filterByFields, inFields } from '../fields/filters.js';
import { fieldColumns, written } from '../fields/values.js';
import { Article } from './article.entity.js';
import type { ArticleQuery, CreateArticleDto, UpdateArticleDto } from './articles.dto.js';
import { COUNTED, articlesOnWalk } from './articles.queries.js';
import type { ArticleRow } from './articles.queries.js';
import { articleMessages } from './articles.messages.js';

const REFERENCES = [
  ['brand_id', 'brands'],
  ['category_id', 'categories'],
  ['amortization_category_id', 'amortization_categories'],
] as const;

const FILTERS = ['category_id', 'brand_id', 'amortization_category_id', 'is_active'] as const;

@Injectable()
export class ArticlesService {
  constructor(
    @InjectRepository(Article) private readonly articles: Repository<Article>,
    private readonly sql: Sql,
  ) {}

  async list(query: ArticleQuery): Promise<FilePage<ArticleRow>> {
    const rows = this.withRelations();
    const { search } = query;
    if (search)
      rows.andWhere(`(article.search_text LIKE search_pattern(:search) OR ${inFields('article')})`, {
        search,
      });
    await filterByFields(rows, 'article', 'article', query);
    for (const filter of FILTERS) if (query[filter] !== undefined) rows.andWhere({ [filter]: query[filter] });
    const more = await fieldColumns(this.articles.manager, 'article');
    const page = await paginate(rows, query, {
      id: { by: 'article.id', type: 'integer', of: (row) => row.id },
      name: { by: 'article.name', type: 'text', of: (row) => row.name },
      reference: { by: `coalesce(article.reference, '')`, type: 'text', of: (row) => row.reference ?? '' },
      created_at: { by: 'article.created_at', type: 'timestamptz', of: (row) => row.created_at },
    });
    return { ...page, more };
  }

  walk(query: ArticleQuery): Promise<JsonPage> {
    const path: Path = {
      table: 'articles',
      id: 'article.id',
      type: 'integer',
      counted: () => this.counted(),
    };
    return walk(path, query, (step) => this.sql.query<JsonRow>(articlesOnWalk(step)));
  }

  private async counted(): Promise<number> {
    const [row] = await this.sql.query<{ total: number }>(COUNTED);
    return row!.total;
  }

  async get(id: number, manager?: EntityManager): Promise<Article> {
    const article = await this.withRelations(manager).where({ id, deleted_at: IsNull() }).getOne();
    if (!article) throw notFound(articleMessages.none);
    return article;
  }

  /** @throws DomainError validation-failed on a foreign key that does not exist */
  create<Answer>(fields: CreateArticleDto, by: Creator<Article, Answer>): Promise<Answer> {
    return createRow(this.articles.manager, by, async (manager) => {
      await holdReferences(manager, fields, REFERENCES);
      const own = await written(manager, 'article', fields.fields);
      const { identifiers } = await manager.insert(Article, { ...fields, fields: own });
      return this.get((identifiers[0] as Article).id, manager);
    });
  }

  /** @throws DomainError validation-failed on a foreign key that does not exist, stale */
  update(id: number, fields: UpdateArticleDto, by: Changer<Article>): Promise<Article> {
    return updateRow(this.row(id), by, fields, async (manager) => {
      await holdReferences(manager, fields, REFERENCES);
      const own = await written(manager, 'article', fields.fields, id);
      await manager.update(Article, id, { ...fields, ...(own && { fields: own }) });
    });
  }

  /** @throws DomainError in-use when live purchases are of it, stale */
  delete(id: number, by: Changer<Article>): Promise<void> {
    return deleteRow(this.row(id), by, async (manager) => {
      const [{ uses }] = await manager.query<[{ uses: number }]>(
        `SELECT count(*) AS uses FROM purchases WHERE article_id = $1 AND deleted_at IS NULL`,
        [id],
      );
      return uses;
    });
  }

  /** @throws DomainError refers-to-deleted when its brand or a category of it is deleted */
  restore(id: number, actor: Actor): Promise<Article> {
    return restoreRow(this.row(id), actor, REFERENCES);
  }

  private row(id: number): RowOf<Article> {
    const read = (manager: EntityManager) => this.get(id, manager);
    return { manager: this.articles.manager, table: 'articles', id, read };
  }

  private withRelations(manager = this.articles.manager): SelectQueryBuilder<Article> {
    const rows = manager.createQueryBuilder(Article, 'article');
    return joinNamed(rows, ['brand', 'category', 'amortization_category']);
  }
}
