/* global document, SwaggerUIBundle */
/** Starts the explorer. On the machine of a development service the demo token is filled in already. */
function start({ token }) {
  const explorer = SwaggerUIBundle({
    url: '/docs/openapi.json',
    domNode: document.getElementById('explorer'),
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: false,
    tryItOutEnabled: true,
    // The hosted validator would be sent the address of this service.
    validatorUrl: null,
    onComplete() {
      if (!token) return;
      explorer.preauthorizeApiKey('bearerAuth', token);
      document.getElementById('demo').textContent = '· The token of the demo sandbox is filled in.';
    },
  });
}

fetch('/docs/demo.json')
  .then((answer) => (answer.ok ? answer.json() : {}))
  .then(start);
