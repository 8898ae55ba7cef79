import { EVERYWHERE } from './problems.js';

/** What Swagger UI is told, and taught: plugins of ours (https://swagger.io/docs: "Plugin API"), as a page's script. */
export const script = String.raw`
/** Executing a login authorizes, and a logout takes that back. */
const authorizing = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        setResponse: (original, { authActions, specSelectors }) => (path, method, response) => {
          if (response.ok && (path === '/api/v1/login' || path === '/api/v1/auth/token')) {
            const schema = specSelectors.specJson().getIn(['components', 'securitySchemes', 'bearer']);
            const { token } = JSON.parse(response.text);
            authActions.authorizeWithPersistOption({ bearer: { name: 'bearer', schema, value: token } });
          }
          if (response.ok && path === '/api/v1/logout') authActions.logoutWithPersistOption(['bearer']);
          return original(path, method, response);
        },
      },
    },
  },
});

/** Without regard to case and accents. */
const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The filter finds the operations that have every one of its words somewhere; Swagger UI's own looks at tags only. */
const filtering = ({ React: { createElement } }) => {
  const textOf = (tag, operation) => {
    const said = ['summary', 'description', 'operationId'].map((name) => operation.getIn(['operation', name], ''));
    return fold([tag, operation.get('method'), operation.get('path'), ...said].join(' '));
  };
  return {
    fn: {
      opsFilter: (tags, phrase) => {
        const words = fold(phrase).split(/\s+/);
        const isFound = (tag) => (operation) => words.every((word) => textOf(tag, operation).includes(word));
        return tags
          .map((group, tag) => group.update('operations', (operations) => operations.filter(isFound(tag))))
          .filter((group) => group.get('operations').size > 0);
      },
    },
    components: {
      FilterContainer: ({ layoutSelectors, layoutActions }) => {
        const filter = layoutSelectors.currentFilter();
        return createElement(
          'div',
          { className: 'wrapper filter' },
          createElement('input', {
            type: 'search',
            className: 'operation-filter-input',
            placeholder: 'Find operations by any word',
            'aria-label': 'Find operations',
            value: typeof filter === 'string' ? filter : '',
            onChange: ({ target }) => layoutActions.updateFilter(target.value),
          }),
        );
      },
    },
    wrapComponents: {
      operations: (Original) => (props) =>
        props.specSelectors.taggedOperations().size > 0
          ? createElement(Original, props)
          : createElement('p', { className: 'nothing-found' }, 'No operation has all of these words.'),
    },
  };
};

/** First what a route answers, its own errors included; folded away after it those that are the same everywhere. */
const folding = ({ React: { createElement, Fragment } }) => {
  const everywhere = ${JSON.stringify(EVERYWHERE)};
  const exampleOf = (response) => response.getIn(['content', 'application/problem+json', 'example']);
  const isShared = (response) => everywhere.includes(exampleOf(response)?.get('type').replace('/problems/', ''));
  const row = ([status, response]) =>
    createElement(
      Fragment,
      { key: status },
      createElement('dt', null, status),
      createElement(
        'dd',
        null,
        createElement('b', null, exampleOf(response).get('title')),
        ' ',
        exampleOf(response).get('detail'),
        ' ',
        createElement('code', null, exampleOf(response).get('type')),
      ),
    );
  return {
    wrapComponents: {
      responses: (Original) => (props) => {
        const shared = [...props.responses.filter(isShared).entries()];
        return createElement(
          Fragment,
          null,
          createElement(Original, { ...props, responses: props.responses.filterNot(isShared) }),
          shared.length > 0 &&
            createElement(
              'details',
              { className: 'shared-errors' },
              createElement(
                'summary',
                null,
                'And as on every route: ',
                shared.map(([status]) => status).join(', '),
              ),
              createElement('dl', null, shared.map(row)),
            ),
        );
      },
    },
  };
};

SwaggerUIBundle({
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
  plugins: [authorizing, filtering, folding],
});
`;
