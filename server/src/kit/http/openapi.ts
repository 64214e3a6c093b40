import { errors } from '@farlink/contract/errors.ts';
import { maxOf } from '@farlink/contract/kit/check.ts';
import { type Endpoint, isWrite, operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Field, Fields } from '@farlink/contract/kit/field.ts';
import { idempotencyKey } from '@farlink/contract/kit/idempotency.ts';
import { filtersOf, isExact, parametersOf } from '@farlink/contract/kit/parameters.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { langs } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';

type Schema = Record<string, unknown>;

const types: Record<Field['kind'], Schema> = {
  text: { type: 'string' },
  long: { type: 'string' },
  link: { type: 'string' },
  password: { type: 'string', format: 'password', writeOnly: true },
  int: { type: 'integer' },
  money: { type: 'string', pattern: '^\\d+\\.\\d{2}$' },
  bool: { type: 'boolean' },
  choice: {},
  option: { type: 'integer' },
  options: { type: 'array', items: { type: 'integer' } },
  time: { type: 'integer', format: 'int64', description: 'epoch seconds' },
  date: { type: 'integer', format: 'int64', description: 'epoch seconds' },
  bytes: { type: 'integer', format: 'int64' },
  speed: { type: 'integer', description: 'KB/s, 0 is unlimited' },
  rate: { type: 'number', description: 'KB/s' },
  duration: { type: 'integer', description: 'seconds' },
  protocols: { type: 'array', items: { type: 'string', pattern: '^\\d+\\.\\d+$' } },
  progress: { type: 'integer', minimum: 0, maximum: 100 },
  tags: { type: 'array', items: { type: 'string' } },
  states: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' }, state: { type: 'string' } } } },
  color: { type: 'string', pattern: '^#[0-9A-Fa-f]{6}$' },
  clock: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' },
  weekdays: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 7 } },
  polygon: { type: 'array', items: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 } },
  ref: { type: 'string', description: 'key of a row of another page' },
  document: { type: 'object' },
  items: { type: 'array' },
  grants: { type: 'object', additionalProperties: { enum: ['00', '10', '11'] } },
  image: { type: 'string' },
  file: { type: 'string', format: 'binary' },
};

/** A field as JSON Schema, including its rules where possible. */
export const schemaOf = (field: Field): Schema => {
  const max = maxOf(field);
  const pattern = field.rules.find((r) => r.pattern !== undefined)?.pattern;
  const bound = field.kind === 'int' ? field.rules.find((r) => r.min !== undefined) : undefined;
  return {
    ...types[field.kind],
    title: field.label[1],
    ...(field.items && { items: objectOf(field.items) }),
    ...(field.options && field.kind === 'tags' && { items: { enum: field.options.map((o) => o.id) } }),
    ...(field.options && field.kind !== 'states' && field.kind !== 'tags' && { enum: field.options.map((o) => o.id) }),
    ...(max !== undefined && { maxLength: max }),
    ...(pattern && { pattern }),
    ...(bound && { minimum: bound.min, maximum: bound.max }),
    ...(field.default !== undefined && { default: field.default }),
  };
};

export const objectOf = (fields: Fields, partial = false) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, f]) => [name, schemaOf(f)])),
  required: partial ? [] : Object.entries(fields).flatMap(([name, f]) => (f.required && !f.when ? [name] : [])),
});

const rowOf = (resource: Resource): Schema => {
  const columns = Object.fromEntries(resource.columns.flatMap((c) => (resource.fields[c] ? [[c, schemaOf(resource.fields[c])]] : [])));
  return { type: 'object', properties: { id: { type: 'integer' }, version: { type: 'integer' }, ...columns }, required: ['id'] };
};

const dataOf = (call: Endpoint): Schema => {
  if (call.kind === 'list' && call.resource)
    return {
      type: 'object',
      properties: { total: { type: 'integer' }, capped: { type: 'boolean' }, list: { type: 'array', items: rowOf(call.resource) } },
      required: ['total', 'list'],
    };
  return call.output ? objectOf(call.output, true) : {};
};

/** Parameters that belong to the kind of a call. */
const plain: Readonly<Record<string, Schema>> = {
  lang: { enum: langs, default: 'zh' },
  uid: { type: 'integer', description: 'if sent, the user of the session' },
  agent_id: { type: 'integer', description: 'if sent, the VNO of the session' },
  page: { type: 'integer', default: limits.page },
  limit: { type: 'integer', default: limits.limit, maximum: limits.listLimit },
  orderby: { type: 'string' },
  count: { enum: ['exact'] },
  sums: { enum: ['later', 'only'] },
  version: { type: 'integer' },
};

/** All parameters of a call. */
const requestOf = (call: Endpoint) => {
  const filters = objectOf(filtersOf(call), true);
  const input = objectOf({ ...call.input }, call.partial);
  const declared: Readonly<Record<string, Schema>> = { ...filters.properties, ...input.properties };
  const others = [...parametersOf(call)].filter((name) => !(name in declared)).map((name) => [name, plain[name] ?? {}]);
  const properties: Readonly<Record<string, Schema>> = { ...Object.fromEntries(others), ...declared };
  return { ...input, properties, additionalProperties: !isExact(call) };
};

const idempotencyParam = {
  name: 'Idempotency-Key',
  in: 'header',
  schema: { type: 'string', pattern: idempotencyKey.source },
  description: 'A repeated key returns the first reply for 24 hours; with another body it is refused. Refusals are not stored.',
};

const operationOf = (call: Endpoint) => {
  const ids = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'integer' } }));
  const inQuery = call.method === 'GET' || call.method === 'DELETE';
  const request = requestOf(call);
  const query = Object.entries(request.properties).map(([name, schema]) => {
    const required = request.required.includes(name);
    return { name, in: 'query', required, schema };
  });
  return {
    operationId: `${call.method.toLowerCase()}_${call.path.replace(/[/{}]+/g, '_')}`,
    tags: [call.module],
    summary: `${call.summary[1]} / ${call.summary[0]}`,
    'x-permission': call.access,
    'x-operate-key': operateKey(call),
    security: call.access === 'public' ? [] : [{ token: [] }],
    parameters: [...ids, ...(isWrite(call) && call.access !== 'public' ? [idempotencyParam] : []), ...(inQuery ? query : [])],
    ...(!inQuery && { requestBody: { content: { 'application/json': { schema: request } } } }),
    responses: {
      200: {
        description: 'code 0',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { code: { const: 0 }, msg: { type: 'string' }, data: dataOf(call) },
              required: ['code', 'msg', 'data'],
            },
          },
        },
      },
      default: {
        description: 'Refused: code, msg and the fields concerned',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
      },
    },
  };
};

/** The API as OpenAPI 3.1, generated from the same declarations that serve it. */
export const openapiOf = (calls: readonly Endpoint[]) => {
  const paths = Object.fromEntries(
    [...Map.groupBy(calls, (call) => `/agt/v1/${call.path}`)].map(([path, methods]) => [
      path,
      Object.fromEntries(methods.map((call) => [call.method.toLowerCase(), operationOf(call)])),
    ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Farlink',
      version: '1',
      description: `A parameter that is not listed is refused, unless additionalProperties permits it. Codes: ${Object.entries(errors)
        .map(([name, e]) => `${e.code} ${name}`)
        .join(', ')}`,
    },
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } },
      schemas: {
        Refusal: {
          type: 'object',
          properties: { code: { type: 'integer' }, msg: { type: 'string' }, data: {} },
          required: ['code', 'msg'],
        },
      },
    },
    paths,
  };
};
