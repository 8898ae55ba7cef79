// The files that make Swagger UI ours. The Content-Security-Policy lets nothing stand inline in the page.

export const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Recense API</title>
    <link rel="icon" href="/docs/recense.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="stylesheet" href="/docs/recense.css" />
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script src="/docs/recense.js" defer></script>
  </head>
  <body>
    <header><img src="/docs/recense.svg" alt="" width="24" height="24" />Recense</header>
    <noscript>Swagger UI needs JavaScript. The document is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <main id="swagger-ui"></main>
  </body>
</html>
`;

export const script = `SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '/openapi.json',
  validatorUrl: null, // would send the document to validator.swagger.io
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  filter: true,
  syntaxHighlight: { theme: 'nord' },
  tryItOutEnabled: true,
  displayRequestDuration: true,
  persistAuthorization: true,
});
`;

/** The id outweighs the classes of swagger-ui.css. */
export const style = `:root { color-scheme: light; --blue: #1d5688; --red: #a3271f; --line: #d3d9e0; --shade: #f4f6f8; --grey: #5b6675; }
body { margin: 0; font-family: sans-serif; }
header, noscript { padding: 10px max(20px, 50% - 710px); } /* in line with Swagger UI */
header { display: flex; align-items: center; gap: 8px; background: #1f3a5f; color: #fff; font-size: 20px; font-weight: bold; }

#swagger-ui {
  :focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; }

  /* The name stands above; the one server is this one; spdx.org has no page of our license. */
  .info { margin: 24px 0 0; }
  .info .title { font-size: 0; }
  .info .title small { top: 0; margin: 0 5px 0 0; background: var(--grey); }
  .servers-title, .servers, .info__license { display: none; }
  .scheme-container { margin: 0; padding: 0 0 16px; box-shadow: none; }
  a:not(.nostyle) { color: var(--blue); }
  .renderedMarkdown code { color: inherit; }

  /* One dark colour for each method; the rest is white and grey. */
  .opblock { --method: var(--blue); margin: 0 0 8px; background: #fff; border-color: var(--line); box-shadow: none; }
  .opblock-post { --method: #1f6b45; }
  .opblock-patch { --method: #855a00; }
  .opblock-delete { --method: var(--red); }
  .opblock .opblock-summary { border-color: var(--line); }
  .opblock .opblock-summary-method { background: var(--method); text-shadow: none; }
  .opblock .tab-header .tab-item.active h4 span::after { background: var(--method); }
  .opblock .opblock-section-header { background: var(--shade); box-shadow: none; }

  /* Readable, and in the same colours. */
  .btn { box-shadow: none; }
  .btn.authorize, .btn.authorize svg { color: var(--blue); border-color: var(--blue); }
  .btn.cancel { color: var(--red); border-color: var(--red); }
  .btn.execute { background: var(--blue); border-color: var(--blue); }
  .download-contents, .copy-to-clipboard, .json-schema-2020-12__constraint { background: var(--grey); }
  .json-schema-2020-12-expand-deep-button { color: var(--grey); }
  .opblock-body pre.microlight { background: #252b37 !important; } /* the theme stands in style attributes */
  .parameter__name.required::after { color: var(--red); }
  textarea { field-sizing: content; min-height: 100px; background: #fff; border: 1px solid var(--line); }
}
`;

/** A bar code, ticked off. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="6" fill="#1f3a5f" />
  <path d="M6 6v20M11 6v20M16 6v9M21 6v6M26 6v3" stroke="#fff" stroke-width="3" />
  <path d="M15 21l5 5 8-12" fill="none" stroke="#7fd1ae" stroke-width="4" />
</svg>
`;
