import { networkOf } from '@farlink/contract/protocol/network.ts';
import { checkValues } from '@farlink/gateway/kit/config.ts';
import { isHeavyRun } from '@farlink/gateway/kit/run.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { linkClasses } from '@farlink/gateway/protocol/link.ts';
import { document, flag, int, obj, record, str } from '@farlink/gateway/protocol/shape.ts';
import { source } from '../../operations/files.ts';
import { operation } from '../../operations/operation.ts';
import { done, fail } from '../../operations/result.ts';
import { ActionFault, ActionRun } from './action-run.ts';
import { runHandlers } from './run-handlers.ts';
import { beginRun, endRun } from './stops.ts';

const order = obj(
  { page: str(64), args: document },
  {
    any: flag,
    put: source.url,
    f: record(/^[0-9a-f]{64}$/, source.url, 8),
    source: obj({ url: source.url, size: int(0, Number.MAX_SAFE_INTEGER), sha256: source.sha256 }, { version: str(16) }),
  },
);

/** Validates the arguments by the schema of the page, runs the action and reports its output. */
export const runPage = operation(order, async (gateway, { page: key, args, any, put, f = {}, source: from }, act) => {
  const page = gatewayPages.get(key);
  const runHandler = Object.hasOwn(runHandlers, key) ? runHandlers[key] : undefined;
  if (!page || !runHandler) return fail('no such page');
  const { doc, problems } = checkValues(page, args, (section) => gateway.sections.doc(section));
  const [problem] = problems;
  if (problem) return fail(`E_FIELD ${key}.${problem.path}: ${problem.text[1]}`);
  if (!any && isHeavyRun(key, doc) && !linkClasses[networkOf(gateway.current)].allowsHeavy) return fail('not on this link');
  const run = new ActionRun(gateway, act, doc, { any, put, files: f, source: from });
  beginRun(gateway, act.id);
  try {
    if (gateway.faults.run.has(key)) {
      run.print('starting');
      await run.wait(2);
      throw new ActionFault('the service did not answer');
    }
    const result = await runHandler(run);
    return done({ n: run.lines, result });
  } catch (error) {
    if (!(error instanceof ActionFault)) throw error;
    return fail(error.message);
  } finally {
    endRun(gateway, act.id);
  }
});
