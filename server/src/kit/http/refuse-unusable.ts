import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { commonParameters, isExact, parametersOf } from '@farlink/contract/kit/parameters.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import type { FastifyRequest } from 'fastify';
import { fail } from '../fail.ts';
import { isWellFormed } from './well-formed.ts';

const malformed: Text = ['格式不正确', 'Not a valid value'];
const unknown: Text = ['未知参数：{0}', 'Unknown parameter: {0}'];
const inQueryOnly: Text = ['参数 {0} 应放在查询字符串中', 'Send {0} in the query string'];
const inBodyOnly: Text = ['参数 {0} 应放在请求体中', 'Send {0} in the body'];

const isInQuery = ({ method }: FastifyRequest) => method === 'GET' || method === 'DELETE';

/** Parameters of a call are in the query of GET and DELETE, and in the body of other methods. */
export const parametersIn = (request: FastifyRequest): Values => {
  const source = isInQuery(request) ? request.query : request.body;
  return isRecord(source) ? source : {};
};

/** Names that the call does not have, or has only in the other part of the request. */
const unknownNames = (call: Endpoint, raw: Values, request: FastifyRequest): readonly (readonly [string, Text])[] => {
  const known = parametersOf(call);
  const { query, body } = request;
  const unread = isInQuery(request) ? body : query;
  const misplaced = isInQuery(request) ? inQueryOnly : inBodyOnly;
  return [
    ...(isExact(call) ? Object.keys(raw) : []).flatMap((name) => (known.has(name) ? [] : [[name, fill(unknown, name)] as const])),
    ...Object.keys(isRecord(unread) ? unread : {})
      .filter((name) => !commonParameters.includes(name))
      .map((name) => [name, fill(known.has(name) ? misplaced : unknown, name)] as const),
  ];
};

/** Refuses parameters that the call does not have, and values that no verb, log or database can process. */
export const refuseUnusable = (call: Endpoint, raw: Values, request: FastifyRequest) => {
  const wrong = Object.entries(raw).filter(
    ([name, value]) => !isWellFormed(name) || !isWellFormed(value, call.input?.[name]?.kind === 'document'),
  );
  const fields = [...unknownNames(call, raw, request), ...wrong.map(([name]) => [name, malformed] as const)];
  if (fields.length > 0) throw fail('bad_input', { fields: Object.fromEntries(fields) });
};
