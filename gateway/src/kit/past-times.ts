import type { Text } from '@farlink/contract/kit/text.ts';
import type { JsonObject } from '../protocol/shape.ts';
import type { GatewayPage } from './page.ts';
import { positionsOf } from './page-rules.ts';
import type { Problem } from './problem.ts';

const past: Text = ['应晚于当前时间', 'Must be in the future'];

/**
 * Times of a document that are entered in the past. This is no page rule: a document stays valid while time passes, for the gateway and for
 * later edits. So times of the known documents are accepted.
 */
export const pastTimes = (page: GatewayPage, doc: JsonObject, known: readonly JsonObject[], now: number): Problem[] =>
  Object.entries(page.fields)
    .filter(([, { future }]) => future)
    .flatMap(([name]) => {
      const knownTimes = new Set(known.flatMap((one) => positionsOf(page, one)).map(({ values }) => values[name]));
      return positionsOf(page, doc).flatMap(({ values, at }): Problem[] => {
        const time = values[name];
        return typeof time === 'number' && time <= now && !knownTimes.has(time) ? [{ path: `${at}${name}`, text: past }] : [];
      });
    });
