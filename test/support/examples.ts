/* eslint-disable @typescript-eslint/no-explicit-any -- the document is walked as plain JSON */
import { stringify } from 'node:querystring';
import type { FuzzOperation, FuzzRequest } from './fuzz-requests.js';

/** The examples of the document, put together from those of the fields as Swagger UI does it. */
export class Examples {
  private readonly schemas: Record<string, any>;

  constructor(document: any) {
    this.schemas = document.components.schemas;
  }

  /** What "Try it out" sends. */
  request(operation: FuzzOperation): FuzzRequest {
    const { requestBody } = operation.definition;
    const contents = Object.entries<any>(requestBody?.content ?? {});
    const [type, content] = contents.find(([one]) => one !== FORM) ?? contents[0] ?? ['application/json'];
    const body = content && this.ofContent(content);
    const isForm = type === FORM;
    const inPath = operation.parameters
      .filter((one) => one.in === 'path')
      .map((parameter) => {
        const value = ofParameter(parameter);
        if (value === undefined) throw new Error(`${parameter.name} has no example`);
        return encodeURIComponent(String(value));
      });
    return {
      operation,
      caller: 'admin',
      inPath,
      query: stringify(given(operation, 'query')),
      headers: Object.entries(given(operation, 'header')),
      body: {
        text: isForm ? formOf(body) : body ? textOf(body) : '',
        type: isForm ? `${FORM}; boundary=${BOUNDARY}` : type,
        repeats: false,
      },
    };
  }

  /** The answer that is shown for a status; of a file that is no text, nothing. */
  answer(operation: FuzzOperation, status: string): any {
    const [content] = Object.values<any>(operation.definition.responses[status].content);
    if (content.schema?.format === 'binary') return '';
    return this.ofContent(content);
  }

  /** Of several that have names, the first. */
  private ofContent({ example, examples = {}, schema }: any): unknown {
    const [first] = Object.values<any>(examples);
    return example ?? first?.value ?? this.of(schema, 'the content');
  }

  /** @throws Error where something has no example */
  private of(schema: any, name: string): unknown {
    if ('example' in schema) return schema.example;
    if ('default' in schema) return schema.default;
    const [alternative = schema] = schema.anyOf ?? schema.allOf ?? [];
    const { $ref, properties, items } = alternative;
    if ($ref) return this.of(this.schemas[$ref.split('/').at(-1)], $ref);
    if (items) return [this.of(items, name)];
    if (!properties) throw new Error(`${name} has no example`);
    return Object.fromEntries(
      Object.entries(properties).map(([field, property]) => [field, this.of(property, `${name}.${field}`)]),
    );
  }
}

const FORM = 'multipart/form-data';
const BOUNDARY = 'example';

/** A form with these fields, `file` among them. */
const formOf = (fields: Record<string, string>): string =>
  [
    ...Object.entries(fields).map(
      ([name, value]) =>
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${name === 'file' ? '; filename="example"' : ''}\r\n\r\n${value}\r\n`,
    ),
    `--${BOUNDARY}--\r\n`,
  ].join('');

/** What is no JSON is shown as it is. */
const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

const ofParameter = ({ example, schema }: any): string | number | undefined =>
  example ?? schema.example ?? schema.default;

/** The parameters in the query or in the headers that are filled in: those with an example or a default. */
const given = ({ parameters }: FuzzOperation, place: 'query' | 'header'): Record<string, string> =>
  Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === place && ofParameter(parameter) !== undefined)
      .map((parameter) => [parameter.name, String(ofParameter(parameter))]),
  );
