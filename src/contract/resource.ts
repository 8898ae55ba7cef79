import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import type { Actor } from '../database/audit.js';
import { actorOf } from '../http/actor.js';
import type { AppRequest } from '../http/request.js';
import { Expected, documentIfMatch, parseIfMatch, tagged } from './etag.js';
import type { Changer } from './etag.js';
import { toPage } from './pagination.js';
import type { Page } from './pagination.js';
import { ColumnRows, whole } from './whole.js';
import type { Columns, MoreColumns } from './whole.js';

/** How the rows of a resource are answered; each stands under its answer. */
export interface Resource<Row, Answer> {
  /** The entity tag of what is answered of a row. */
  tag: (row: Row) => string;
  answer: (row: Row) => Answer;
  /** Of what can be imported. */
  columns?: Columns<Row>;
}

/** With the columns that its rows have besides, where it goes into a file. */
export interface FilePage<Row> extends Page<Row> {
  more?: MoreColumns<Row> | undefined;
}

export const pageOf = async <Row, Answer>(
  { answer, columns }: Pick<Resource<Row, Answer>, 'answer' | 'columns'>,
  page: Promise<FilePage<Row>>,
) => {
  const shown = await page;
  if (!columns || !whole.current) return toPage(shown, answer);
  const all = { ...columns, ...shown.more?.columns };
  const cells = Object.values(all);
  return new ColumnRows(
    Object.keys(all),
    shown.rows.map((row) => cells.map((cellOf) => cellOf(row))),
    shown.more?.kinds,
  );
};

/** The answer of a request that shows one row. */
export class Reply {
  constructor(private readonly response: Response) {}

  async of<Row, Answer>({ tag, answer }: Resource<Row, Answer>, row: Promise<Row>): Promise<Answer> {
    const shown = await row;
    return tagged(this.response, tag(shown), answer(shown));
  }
}

/** A request that changes or deletes one row. */
export class Change extends Reply {
  constructor(
    response: Response,
    private readonly actor: Actor,
    private readonly expected: Expected,
  ) {
    super(response);
  }

  update<Row, Answer>(
    resource: Resource<Row, Answer>,
    work: (by: Changer<Row>) => Promise<Row>,
  ): Promise<Answer> {
    return this.of(resource, work(this.by(resource)));
  }

  async delete<Row>(
    resource: Resource<Row, unknown>,
    id: number,
    work: (by: Changer<Row>) => Promise<void>,
  ): Promise<{ id: number; deleted: boolean }> {
    await work(this.by(resource));
    return { id, deleted: true };
  }

  private by<Row>({ tag }: Resource<Row, unknown>): Changer<Row> {
    return { actor: this.actor, isExpected: this.expected.by(tag) };
  }
}

export const Replying = createParamDecorator(
  (_: unknown, context: ExecutionContext) => new Reply(context.switchToHttp().getResponse<Response>()),
);

const ChangeOf = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const http = context.switchToHttp();
  const request = http.getRequest<AppRequest>();
  const expected = new Expected(parseIfMatch(request.headers['if-match']));
  return new Change(http.getResponse<Response>(), actorOf(request), expected);
});

/** The changing request, as a Change; documents its `If-Match` and the 412 of that. */
export const Changing = (): ParameterDecorator => (target, name, index) => {
  documentIfMatch(target, name);
  ChangeOf()(target, name, index);
};
