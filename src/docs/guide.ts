import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../config/version.js';

/** docs/apps.md as it is read here, where the files beside it are not served: their names stay, the links go. */
export const guide = (): string =>
  readFileSync(join(projectRoot, 'docs/apps.md'), 'utf8').replace(
    /\[([^\]]+)\]\((?!https?:\/\/)[^)]*\)/g,
    '$1',
  );

/** Has Swagger UI show it: what it makes of Markdown is clean, and needs nothing else. */
export const guideScript = `fetch('/docs/apps.md')
  .then((answer) => answer.text())
  .then((source) => {
    const layout = ({ React: { createElement } }) => ({
      components: {
        Guide: ({ getComponent }) =>
          createElement('div', { className: 'swagger-ui guide' }, createElement(getComponent('Markdown', true), { source })),
      },
    });
    const spec = { openapi: '3.1.0', info: { title: 'Recense', version: '' }, paths: {} };
    SwaggerUIBundle({ dom_id: '#swagger-ui', spec, layout: 'Guide', plugins: [layout] });
  });
`;
