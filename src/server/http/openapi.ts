import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { calls } from '../../contract/allCalls';
import type { CallName, CallSpec } from '../../contract/calls';
import { UNKNOWN_OUTCOME } from '../../contract/constants';
import { eventKinds } from '../../contract/events';
import { IDEMPOTENCY_HOURS, IDEMPOTENCY_KEY_MAX, KEY_PREFIX, SIGNATURE_SECONDS } from '../../contract/integrations';
import { type CallSchemas, pathValue, schemas } from '../../contract/schemas/calls';
import { SentEvent } from '../../contract/schemas/events';

const config: ConversionConfig = {
  errorMode: 'ignore',
  target: 'draft-2020-12',
  overrideSchema: ({ valibotSchema, jsonSchema }) =>
    valibotSchema.type === 'date' ? { type: 'string', format: 'date-time' } : jsonSchema,
};
/** The JSON schema of the wire format; an answer's schema has the same input and output there. */
function wire(schema: GenericSchema) {
  const { $schema: _, ...rest } = toJsonSchema(schema, { ...config, typeMode: 'input' });
  return rest;
}

const who: Record<CallSpec['who'], string> = {
  anyone: 'Open to anyone.',
  checkout: 'Needs the checkout cookie, which the sign-in sets.',
  session: 'For everybody who is signed in.',
  admin: 'For super admins, and tenant admins within their own tenant.',
  super: 'For super admins.',
  key: "For a tenant's own systems, with an API key.",
};
function getSecurity({ who, isSigned }: CallSpec): Record<string, string[]>[] {
  if (isSigned) return [{ btcpaySignature: [] }, { signature: [] }];
  if (who === 'anyone') return [];
  return [who === 'checkout' ? { checkout: [] } : who === 'key' ? { apiKey: [] } : { bearer: [] }];
}
const parameter = (place: 'path' | 'query' | 'header', name: string, required: boolean, schema: object) => {
  return { name, in: place, required, schema };
};
const idempotencyKey = ({ who }: CallSpec) => ({
  ...parameter('header', 'Idempotency-Key', who === 'key', { type: 'string', maxLength: IDEMPOTENCY_KEY_MAX }),
  description:
    'A request is executed once per key. ' +
    `For ${IDEMPOTENCY_HOURS} hours a repeated request gets the first answer again.`,
});
const failure = {
  description: 'Error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
};
const unknownOutcome = {
  ...failure,
  description:
    `With the code \`${UNKNOWN_OUTCOME}\`: the database did not say whether the write was done. ` +
    'Look first, or send the request again with the same Idempotency-Key. Every other error means that it was not done.',
};

function operation(name: CallName, call: CallSpec) {
  const shapes: CallSchemas = schemas[name];
  const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) =>
    parameter('path', key, true, wire(pathValue(key))),
  );
  const query = shapes.query
    ? (wire(shapes.query) as { properties?: Record<string, object>; required?: string[] })
    : {};
  const inQuery = Object.entries(query.properties ?? {}).map(([key, schema]) =>
    parameter('query', key, query.required?.includes(key) ?? false, schema),
  );
  const isSignIn = name === 'login' || name === 'loginToTenant';
  const refusals = [
    '400',
    ...((call.who === 'anyone' || call.who === 'checkout') && !isSignIn && !call.isSigned ? [] : ['401']),
    '403',
    '404',
    '409',
    ...(call.method === 'GET' ? [] : ['413']),
    '422',
    ...(isSignIn || call.isSigned || call.who === 'key' ? ['429'] : []),
    '503',
  ];
  return {
    operationId: name,
    summary: name.replace(/([A-Z])/g, (_, letter: string) => ` ${letter.toLowerCase()}`),
    description: [
      call.isSigned ? 'For payment processors. The signature covers the raw body.' : who[call.who],
      ...(call.scopes ? [`The key needs the scope ${call.scopes.map((scope) => `\`${scope}\``).join(' or ')}.`] : []),
      ...(call.feature ? [`Part of the feature \`${call.feature}\`.`] : []),
    ].join(' '),
    tags: [call.path.split('/')[3] === 'admin' ? call.path.split('/')[4] : call.path.split('/')[3]],
    security: getSecurity(call),
    parameters: [...inPath, ...inQuery, ...(call.isOnce ? [idempotencyKey(call)] : [])],
    ...(shapes.body && {
      requestBody: { required: true, content: { 'application/json': { schema: wire(shapes.body) } } },
    }),
    responses: {
      200: {
        description: 'Success',
        content:
          call.answer === 'csv'
            ? { 'text/csv': { schema: { type: 'string' } } }
            : { 'application/json': { schema: wire(shapes.answer) } },
      },
      ...Object.fromEntries(refusals.map((status) => [status, failure])),
      ...(call.method !== 'GET' && !call.isRead && { 500: unknownOutcome }),
    },
  };
}

export type Operation = ReturnType<typeof operation>;

function paths() {
  const all: Record<string, Record<string, Operation>> = {};
  for (const [name, call] of Object.entries(calls) as [CallName, CallSpec][]) {
    (all[call.path] ??= {})[call.method.toLowerCase()] = operation(name, call);
  }
  return all;
}

/** What a channel 'Events' is sent, by Standard Webhooks. */
function webhooks() {
  const header = (name: string) => parameter('header', name, true, { type: 'string' });
  return {
    event: {
      post: {
        operationId: 'event',
        description: `One of ${eventKinds.join(', ')}.`,
        parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header),
        requestBody: { required: true, content: { 'application/json': { schema: wire(SentEvent) } } },
        responses: { '2XX': { description: 'Received' }, 410: { description: 'Gone: nothing more is sent' } },
      },
    },
  };
}

/** The contract as an OpenAPI 3.1 document, generated from the schemas that validate every call. */
export const openapi = {
  openapi: '3.1.0',
  info: {
    title: 'Gaming back-office',
    version: '1',
    description:
      'Amounts are in USD with at most two decimals. Timestamps are ISO 8601 in UTC. ' +
      'Dates are YYYY-MM-DD in the business time zone.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  paths: paths(),
  webhooks: webhooks(),
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      checkout: { type: 'apiKey', in: 'cookie', name: 'checkout' },
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: `An API key of a tenant. It starts with ${KEY_PREFIX}.`,
      },
      signature: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Signature',
        description:
          't=<seconds since 1970>,v1=<hex HMAC-SHA-256 of "<t>.<body>">, ' +
          `at most ${SIGNATURE_SECONDS} seconds old.`,
      },
      btcpaySignature: {
        type: 'apiKey',
        in: 'header',
        name: 'BTCPay-Sig',
        description: 'sha256=<hex HMAC-SHA-256 of the body>, as BTCPay Server sends it.',
      },
    },
    schemas: {
      Failure: {
        type: 'object',
        required: ['detail', 'code', 'request_id'],
        properties: { detail: { type: 'string' }, code: { type: 'string' }, request_id: { type: 'string' } },
      },
    },
  },
};
