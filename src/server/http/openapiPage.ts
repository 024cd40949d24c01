import { html, raw } from 'hono/html';
import { type Operation, openapi } from './openapi';

const shape = (title: string, schema: object | undefined) =>
  schema ? html`<details><summary>${title}</summary><pre>${JSON.stringify(schema, null, 2)}</pre></details>` : '';

const parameterRow = ({ name, in: place, required, schema }: Operation['parameters'][number]) => html`
      <tr>
        <td>${name}</td><td>${place}</td><td>${required ? 'yes' : 'no'}</td>
        <td><code>${JSON.stringify(schema)}</code></td>
      </tr>`;

const section = (
  path: string,
  method: string,
  { operationId, description, parameters, requestBody, responses }: Operation,
) => html`
  <section id="${operationId}">
    <h2><code>${method.toUpperCase()}</code> <code>${path}</code></h2>
    <p><strong>${operationId}</strong>. ${description}</p>
    ${
      parameters.length
        ? html`<table><thead><tr><th>Name</th><th>In</th><th>Required</th><th>Shape</th></tr></thead><tbody>
      ${parameters.map(parameterRow)}
    </tbody></table>`
        : ''
    }
    ${shape('Body', requestBody?.content['application/json'].schema)}
    ${shape('Answer', Object.values(responses[200].content)[0]?.schema)}
  </section>`;

const sections = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => section(path, method, operation)),
);

/** The OpenAPI document as a readable page, without scripts, style sheets or requests. */
export const openapiPage = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${openapi.info.title} API</title>
</head>
<body><h1>${openapi.info.title} API</h1>
<p>${openapi.info.description} Also available as <a href="/api/openapi.json">openapi.json</a>.</p>
<p>An error is always <code>{"detail", "code", "request_id"}</code>. 401 means not signed in; 403 means not allowed.</p>
${sections}
${raw('</body></html>')}`;
