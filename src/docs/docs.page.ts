// The files that make Swagger UI ours. The Content-Security-Policy lets nothing stand inline in the page.

const pageOf = (title: string, script: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="icon" href="/docs/recense.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="stylesheet" href="/docs/recense.css" />
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script src="${script}" defer></script>
  </head>
  <body>
    <header>
      <img src="/docs/recense.svg" alt="" width="24" height="24" />Recense
      <nav><a href="/docs">API</a><a href="/docs/guide">Guide for app developers</a><a href="/openapi.json">openapi.json</a></nav>
    </header>
    <noscript>
      This page needs JavaScript. The document is at <a href="/openapi.json">/openapi.json</a>, the guide at
      <a href="/docs/apps.md">/docs/apps.md</a>.
    </noscript>
    <main id="swagger-ui"></main>
  </body>
</html>
`;

export const page = pageOf('Recense API', '/docs/recense.js');
export const guidePage = pageOf('Recense: for those who write apps', '/docs/guide.js');

/** The id outweighs the classes of swagger-ui.css. */
export const style = `:root { color-scheme: light; --blue: #1d5688; --red: #a3271f; --line: #d3d9e0; --shade: #f4f6f8; --grey: #5b6675; }
body { margin: 0; font-family: sans-serif; }
header, noscript { padding: 10px max(20px, 50% - 710px); } /* in line with Swagger UI */
header { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; background: #1f3a5f; color: #fff; font-size: 20px; font-weight: bold; }

nav { display: flex; flex-wrap: wrap; gap: 4px 20px; margin-left: auto; font-size: 14px; font-weight: normal; }
nav a { color: #fff; }

@media (max-width: 767px) { nav { margin-left: 0; } }

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
  .filter { padding-bottom: 16px; }
  .operation-filter-input { width: 100%; max-width: none; margin: 0; padding: 10px; border: 1px solid var(--line); border-radius: 4px; font-size: 16px; }
  .nothing-found { padding: 0 20px; }
  .response-control-media-type { flex: 0 1 420px; min-width: 0; } /* the name of XLSX is long */
  .response-controls select { width: 100%; }

  .shared-errors { padding: 0 20px 20px; color: var(--grey); font-size: 14px; }
  .shared-errors summary { cursor: pointer; padding: 8px 0; }
  .shared-errors dl { display: grid; grid-template-columns: max-content 1fr; gap: 6px 16px; margin: 8px 0 0; }
  .shared-errors dd { margin: 0; overflow-wrap: anywhere; }

  .guide { max-width: 800px; margin: 0 auto; padding: 8px 20px 40px; overflow-wrap: anywhere; }
  .guide h1 { font-size: 28px; }
  .guide h2 { margin-top: 40px; font-size: 22px; }
  .guide p, .guide li, .guide td, .guide th { font-size: 15px; line-height: 1.5; }
  .guide pre { padding: 12px; overflow-x: auto; background: #252b37; color: #fff; font-size: 13px; }
  .guide pre code { padding: 0; background: none; color: inherit; font-weight: normal; white-space: pre; }
  .guide table { border-collapse: collapse; }
  .guide th, .guide td { padding: 6px 10px; border: 1px solid var(--line); text-align: left; vertical-align: top; }

  /* On a phone: what Swagger UI sets side by side stands below each other, and nothing is wider than the screen. */
  @media (max-width: 767px) {
    .filter .operation-filter-input { width: 100%; max-width: none; }
    .response-controls { display: block; padding: 0; }
    .response-control-media-type, .response-control-examples { width: 100%; padding: 0 0 8px; }
    .response-controls select, .examples-select select { width: 100%; max-width: 100%; }
    .wrapper, .information-container, .scheme-container .schemes { padding: 0 12px; }
    .opblock-tag { flex-wrap: wrap; padding: 10px 0; }
    .opblock-tag small { flex-basis: 100%; order: 3; padding: 0; }
    .opblock .opblock-summary { flex-wrap: wrap; padding: 8px; }
    .opblock .opblock-summary-control { flex-wrap: wrap; min-width: 0; gap: 4px 8px; }
    .opblock .opblock-summary-path-description-wrapper { flex-basis: 100%; gap: 2px; }
    .opblock .opblock-summary-method { min-width: 64px; padding: 4px 0; font-size: 12px; }
    .opblock .opblock-summary-path { max-width: 100%; padding: 0; font-size: 14px; overflow-wrap: anywhere; }
    .opblock .opblock-summary-description { white-space: normal; }
    .opblock .opblock-section-header { flex-wrap: wrap; gap: 8px; padding: 8px 12px; }
    .opblock .opblock-section-header > label { width: 100%; margin: 0; }
    .opblock-description-wrapper, .table-container, .responses-inner, .execute-wrapper { padding: 12px; }
    table, tbody, thead, tr, td { display: block; width: auto; max-width: 100%; min-width: 0; box-sizing: border-box; }
    thead { display: none; }
    .parameters-col_description input, .parameters-col_description select, textarea { width: 100%; max-width: 100%; }
    .response-col_links { display: none; }
    .response-col_description { width: 100%; }
    .highlight-code, .microlight, pre { max-width: 100%; box-sizing: border-box; overflow-x: auto; }
    .microlight, .microlight code, .renderedMarkdown code { white-space: pre-wrap !important; overflow-wrap: anywhere; }
    .btn-group, .execute-wrapper .btn { max-width: 100%; }
    .model-container, .models, .json-schema-2020-12 { max-width: 100%; overflow-wrap: anywhere; }
    .dialog-ux .modal-ux { width: auto; min-width: 0; left: 12px; right: 12px; transform: translate(0, -50%); }
    .guide table { display: table; width: 100%; }
    .guide tr { display: table-row; }
    .guide td, .guide th { display: table-cell; }
    .guide thead { display: table-header-group; }
    .guide tbody { display: table-row-group; }
  }

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
