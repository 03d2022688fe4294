// Runs in the browser: shows the chosen document in Swagger UI; the page's address names it as `?document=`.

const documents = document.querySelector('#document');
const chosen = new URLSearchParams(location.search).get('document');
if ([...documents.options].some(({ value }) => value === chosen)) documents.value = chosen;
documents.addEventListener('change', () => location.assign(`/docs?document=${documents.value}`));

const url = `/openapi/${documents.value}-v1.json`;
document.querySelector('#source').href = url;

// The document names its servers by a pattern; requests from this page go to the page's own host.
const thisHost = { url: location.origin, description: 'The host of this page' };
const onThisHost = {
  statePlugins: {
    spec: { wrapActions: { updateJsonSpec: (original) => (spec) => original({ ...spec, servers: [thisHost] }) } },
  },
};

SwaggerUIBundle({
  url,
  dom_id: '#reference',
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [onThisHost],
  layout: 'BaseLayout',
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  showExtensions: true,
  validatorUrl: null,
});
