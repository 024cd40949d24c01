import { toJsonSchema, type ConversionConfig } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { calls, type CallName, type CallSpec } from '../contract/calls';
import { pathValue, schemas, type CallSchemas } from './schemas';

const config: ConversionConfig = {
  errorMode: 'ignore',
  target: 'draft-2020-12',
  overrideSchema: ({ valibotSchema, jsonSchema }) => (valibotSchema.type === 'date' ? { type: 'string', format: 'date-time' } : jsonSchema),
};
/** As it is on the wire, which an answer's shape takes in and gives out alike. */
function wire(schema: GenericSchema) {
  const { $schema: _, ...rest } = toJsonSchema(schema, { ...config, typeMode: 'input' });
  return rest;
}

const who: Record<CallSpec['who'], string> = {
  anyone: 'Open to anyone.',
  checkout: 'For whoever holds the checkout cookie of a sign-in.',
  session: 'For whoever is signed in.',
  admin: 'For super admins, and tenant admins within their own tenant.',
  super: 'For super admins.',
};
const failure = { description: 'Refused', content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } } };

function operation(name: CallName, call: CallSpec) {
  const shapes: CallSchemas = schemas[name];
  const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => ({ name: key, in: 'path', required: true, schema: wire(pathValue(key)) }));
  const query = shapes.query ? wire(shapes.query) as { properties?: Record<string, object>; required?: string[] } : {};
  const inQuery = Object.entries(query.properties ?? {}).map(([key, schema]) => ({ name: key, in: 'query', required: query.required?.includes(key) ?? false, schema }));
  const refusals = [...(call.who === 'anyone' || call.who === 'checkout' ? [] : ['401']), '403', '404', '409', '422', '503'];
  return {
    operationId: name,
    summary: name.replace(/([A-Z])/g, (_, letter: string) => ` ${letter.toLowerCase()}`),
    description: [who[call.who], ...(call.feature ? [`An addition, offered as the feature \`${call.feature}\`.`] : [])].join(' '),
    tags: [call.path.split('/')[3] === 'admin' ? call.path.split('/')[4] : call.path.split('/')[3]],
    security: call.who === 'anyone' ? [] : call.who === 'checkout' ? [{ checkout: [] }] : [{ bearer: [] }],
    parameters: [...inPath, ...inQuery],
    ...(shapes.body && { requestBody: { required: true, content: { 'application/json': { schema: wire(shapes.body) } } } }),
    responses: {
      200: { description: 'Done', content: call.isCsv ? { 'text/csv': { schema: { type: 'string' } } } : { 'application/json': { schema: wire(shapes.answer) } } },
      ...Object.fromEntries(refusals.map((status) => [status, failure])),
    },
  };
}

function paths() {
  const all: Record<string, Record<string, object>> = {};
  for (const [name, call] of Object.entries(calls) as [CallName, CallSpec][]) {
    (all[call.path] ??= {})[call.method.toLowerCase()] = operation(name, call);
  }
  return all;
}

/** The contract as an OpenAPI 3.1 document, from the shapes that check every call. */
export const openapi = {
  openapi: '3.1.0',
  info: {
    title: 'Gaming back-office',
    version: '1',
    description: 'Amounts are USD with at most two decimals; moments ISO 8601 in UTC; dates YYYY-MM-DD in the business time zone.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  paths: paths(),
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      checkout: { type: 'apiKey', in: 'cookie', name: 'checkout' },
    },
    schemas: {
      Failure: {
        type: 'object', required: ['detail', 'code', 'request_id'],
        properties: { detail: { type: 'string' }, code: { type: 'string' }, request_id: { type: 'string' } },
      },
    },
  },
};
