import { authCalls } from '@farlink/contract/auth/auth.ts';
import { endpoints } from '@farlink/contract/endpoints.ts';
import { errors } from '@farlink/contract/errors.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { commonParameters, filtersOf, parametersOf } from '@farlink/contract/kit/parameters.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inputOf } from './api.ts';
import { sampleInput } from './sample-input.ts';
import { isSoak, runs } from './soak.ts';
import { attempt, isFile, isInQuery, nameOf, openWalk, staffKind, type Walk } from './walk-world.ts';

let walk: Walk;
beforeAll(async () => {
  walk = await openWalk();
});
afterAll(() => walk.api.close());

/** Parameters that the call uses, and one that all calls have. */
const ownParametersOf = (call: Endpoint) => [...[...parametersOf(call)].filter((key) => !commonParameters.includes(key)), 'uid'];
const nul = 'a\u0000b';
const half = '\ud800';
const odd = { toString: 1 } as const;
const list = ['a\u0000b'] as const;
/** Values that no parameter accepts. A query has no half surrogate pair; a document may have any key. */
const malformedIn = (call: Endpoint, key: string): readonly unknown[] => {
  if (isInQuery(call)) return [nul];
  return call.input?.[key]?.kind === 'document' ? [nul, half, list] : [nul, half, odd, list];
};
/** Well-formed JSON values that may break a database, a log or a comparison. */
const hostileTexts = [nul, half, '2147483648'];
const hostile = [...hostileTexts, Number.MAX_SAFE_INTEGER, odd, list, [null]];
/** Refusals before the call runs. */
const early: readonly number[] = [errors.bad_input, errors.denied, errors.too_many].map(({ code }) => code);
const isDeclared = (code: number) => code === 0 || Object.values(errors).some((error) => error.code === code && error.status < 500);

const called = endpoints.filter((e) => e !== authCalls.logout && !isFile(e));

/** The kind of a field, or the name of a parameter that is declared with all calls. */
const kindOf = (call: Endpoint, key: string) => call.input?.[key]?.kind ?? filtersOf(call)[key]?.kind ?? key;

/**
 * Gives the values to send to a parameter: all in `npm run soak`, one in `npm test -- --all`, a different one each time. `npm test` sends
 * each value to each kind of field once.
 */
const openChoice = () => {
  let turn = 0;
  const sent = new Set<string>();
  return (call: Endpoint, key: string): readonly unknown[] => {
    const values = isInQuery(call) ? hostileTexts : hostile;
    if (isSoak) return values;
    if (runs(1, 1, 0)) return values.slice(turn++ % values.length).slice(0, 1);
    const rule = `${isInQuery(call)} ${kindOf(call, key)}`;
    const next = values.findIndex((_, i) => !sent.has(`${rule} ${i}`));
    sent.add(`${rule} ${next}`);
    return values.slice(next).slice(0, next < 0 ? 0 : 1);
  };
};

describe('every declared call', () => {
  it('refuses invalid input, and never fails with a server error', async () => {
    for (const call of called) {
      const wild = Object.fromEntries(Object.keys(call.input ?? {}).map((key) => [key, { nested: ['\u0000', -1] }]));
      const codes = new Map<string, number>();
      const send = async (more: Record<string, unknown>) => {
        const input = inputOf(call, { kind: 'sub', ...(call.path.includes('{') && { id: 999_999_999 }), ...more });
        const key = JSON.stringify(input);
        const code = codes.get(key) ?? (await attempt(walk.victim, call, input)).code;
        codes.set(key, code);
        expect(isDeclared(code), `${nameOf(call)} ${key} ${code}`).toBe(true);
        return code;
      };
      await send({});
      await send({ id: 'x' });
      const wildCode = await send(wild);
      const pageCode = await send({ page: -1, limit: 'x', orderby: '; drop' });
      if (call.kind === 'list') expect(early, nameOf(call)).toContain(pageCode);
      if (!isInQuery(call) && Object.keys(wild).length > 0) expect(early, nameOf(call)).toContain(wildCode);
    }
  });

  it('refuses a malformed value in any parameter, and never fails with a server error on a hostile value', {
    timeout: 300_000,
  }, async () => {
    const { api, fieldsOf, idOf } = walk;
    let { victim } = walk;
    const choose = openChoice();
    for (const call of called) {
      const input = { ...staffKind(call), ...sampleInput(call, fieldsOf(call)), ...idOf(call) };
      for (const key of ownParametersOf(call))
        for (const value of choose(call, key)) {
          const { code } = await attempt(victim, call, { ...input, [key]: value });
          expect(isDeclared(code), `${nameOf(call)} ${key} ${code}`).toBe(true);
          // The call may have ended the session.
          if (code === errors.session_ended.code) victim = await api.login('victim');
          else if (malformedIn(call, key).includes(value)) expect(early, `${nameOf(call)} ${key} ${JSON.stringify(value)}`).toContain(code);
        }
    }
  });
});
