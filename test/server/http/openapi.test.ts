import { Validator } from '@seriousme/openapi-schema-validator';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../../src/contract/calls';
import { reset, send } from '../../world';

interface Json {
  type?: string | string[];
  $ref?: string;
  pattern?: string;
  required?: string[];
  properties?: Record<string, Json>;
  items?: Json;
  additionalProperties?: Json | boolean;
  not?: Json;
  anyOf?: Json[];
  oneOf?: Json[];
  allOf?: Json[];
}
interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: Json } } };
  responses: Record<string, { description: string; content: Record<string, { schema: Json }> }>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string; license: object };
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: Json } } } } }>;
  components: { securitySchemes: Record<string, { type: string }>; schemas: Record<string, Json> };
}
const load = async (): Promise<Document> => (await send('GET', '/api/openapi.json')).json();
const all = Object.entries(calls) as [CallName, CallSpec][];

test.before(reset);

test('the page leads to the document from either form of its address', async () => {
  for (const page of ['/api/docs', '/api/docs/']) {
    const link = /<a href="([^"]*openapi[^"]*)"/.exec(await (await send('GET', page)).text())?.[1] ?? '';
    assert.is((await send('GET', new URL(link, `http://test${page}`).pathname)).status, 200, page);
  }
});

test('every call of the contract is in the document, and nothing else', async () => {
  const { paths } = await load();
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
  );
  assert.equal(found.sort(), all.map(([name, { method, path }]) => `${name} ${method} ${path}`).sort());
});

test('the document is valid OpenAPI 3.1, with the events that are sent', async () => {
  const document = await load();
  assert.match(document.openapi, /^3\.1\.\d+$/);
  const { valid, errors } = await new Validator().validate({ ...document });
  assert.ok(valid, JSON.stringify(errors));
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods)))
    assert.ok(operation.summary && operation.description && operation.tags.every(Boolean), operation.operationId);
  const { schema } = document.webhooks['event']!.post.requestBody.content['application/json'];
  assert.equal(Object.keys(schema.properties!).sort(), ['data', 'timestamp', 'type']);
});

test('the calls that must not happen twice take a key, which API keys must send', async () => {
  const { paths } = await load();
  for (const [name, { path, method, isOnce, who }] of all) {
    const { parameters, responses } = paths[path]![method.toLowerCase()]!;
    const key = parameters.find(({ name }) => name === 'Idempotency-Key');
    assert.is(key !== undefined, isOnce === true, name);
    if (key) assert.is(key.required, who === 'key', name);
    if (isOnce) assert.match(responses['500']!.description, 'unknown_outcome', name);
  }
});

/** Walks a JSON Schema (2020-12): known types only, references that lead somewhere, required names that exist. */
function check(schema: Json, document: Document, at: string): void {
  assert.ok(schema && typeof schema === 'object' && !Array.isArray(schema), `${at}: not a schema`);
  if (schema.$ref !== undefined) {
    const [, name = ''] = /^#\/components\/schemas\/(\w+)$/.exec(schema.$ref) ?? [];
    assert.ok(document.components.schemas[name], `${at}: ${schema.$ref} leads nowhere`);
  }
  const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
  for (const type of [schema.type ?? []].flat()) assert.ok(types.includes(type), `${at}: type ${type}`);
  assert.is('nullable' in schema, false, `${at}: nullable is OpenAPI 3.0`);
  for (const name of schema.required ?? [])
    assert.ok(schema.properties?.[name], `${at}: ${name} is required but not described`);
  for (const [name, property] of Object.entries(schema.properties ?? {})) check(property, document, `${at}.${name}`);
  for (const inner of [schema.items, schema.additionalProperties, schema.not])
    if (typeof inner === 'object') check(inner, document, `${at} within`);
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    check(part, document, `${at} part`);
  if (schema.pattern !== undefined) new RegExp(schema.pattern, 'u');
}

test('every shape in it is a valid schema that says something', async () => {
  const document = await load();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { parameters, requestBody, responses }] of Object.entries(methods)) {
      const at = `${method} ${path}`;
      for (const { name, schema } of parameters) check(schema, document, `${at} ${name}`);
      if (requestBody) check(requestBody.content['application/json'].schema, document, `${at} body`);
      for (const [status, response] of Object.entries(responses))
        check(Object.values(response.content)[0]!.schema, document, `${at} ${status}`);
      const [answer] = Object.values(responses['200']!.content);
      assert.ok(Object.keys(answer!.schema).length, `${at}: the answer says nothing`);
    }
  }
});

const schemes: Partial<Record<CallSpec['who'], object[]>> = {
  anyone: [],
  checkout: [{ checkout: [] }],
  key: [{ apiKey: [] }],
};
test('it says who may call: a token, the checkout cookie, an API key, a signature, or anybody', async () => {
  const { paths } = await load();
  for (const [, { who, method, path, isSigned }] of all) {
    const expected = isSigned ? [{ btcpaySignature: [] }, { signature: [] }] : (schemes[who] ?? [{ bearer: [] }]);
    assert.equal(paths[path]![method.toLowerCase()]!.security, expected, path);
  }
});

test('an answer of the server is what the document says', async () => {
  const { paths } = await load();
  const { schema } = paths[calls.listPlatformNames.path]!['get']!.responses['200']!.content['application/json']!;
  const [row] = await (await send('GET', calls.listPlatformNames.path)).json();
  assert.is(schema.type, 'array');
  assert.equal(Object.keys(row).sort(), Object.keys(schema.items!.properties!).sort());
});

test('the page to read shows every call, fetches nothing and runs nothing', async () => {
  const response = await send('GET', '/api/docs');
  assert.match(response.headers.get('Content-Type')!, /^text\/html/);
  const page = await response.text();
  for (const [name, { path }] of all) {
    assert.ok(page.includes(`id="${name}"`), name);
    assert.ok(page.includes(`<code>${path}</code>`), path);
  }
  assert.not.match(page, /<script|<link|<img|<style|src=/);
});

test.run();
