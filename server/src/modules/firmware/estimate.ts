import type { upgradeCalls as calls } from '@farlink/contract/firmware/upgrade.ts';
import { fullVersion } from '@farlink/contract/firmware/version.ts';
import type { PreviewNote } from '@farlink/contract/kit/page.ts';
import { fill, say, type Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { wavesOf } from '../../domain/firmware/waves.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { Refusal } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { downloadPreview } from './download-preview.ts';
import { type Plan, planRollback, planUpgrade, type Target, targetsOf } from './targets.ts';

const texts = {
  refused: ['{0} 台将跳过（{2}）：{1}', '{0} will be skipped ({2}): {1}'],
  kept: ['{0} 台直接启动网关上保留的版本，无需下载', '{0} boot the version kept on the gateway; no download needed'],
  keptLight: [
    '其中 {0} 台在L波段链路，切换到其他链路后继续',
    '{0} of them on the L-band link; they continue after switching to another link',
  ],
  waves: [
    `分批进行：{0} 台；任一批失败超过${limits.upgradeFailPercent}%时自动暂停`,
    `In waves of {0}; paused automatically when more than ${limits.upgradeFailPercent} % of a wave fail`,
  ],
} as const satisfies Record<string, Text>;

const maxNames = 5;
const namesOf = (names: readonly string[]): Text => {
  const rest = names.length > maxNames ? '…' : '';
  const shown = names.slice(0, maxNames);
  return [`${shown.join('、')}${rest}`, `${shown.join(', ')}${rest}`];
};

interface PlannedTarget {
  readonly target: Target;
  readonly plan?: Plan;
  readonly refusal?: Text;
}

const planTarget = (target: Target, planOf: () => Plan): PlannedTarget => {
  try {
    return { target, plan: planOf() };
  } catch (error) {
    if (error instanceof Refusal) return { target, refusal: error.text };
    throw error;
  }
};

const notesOf = (ctx: Ctx, planned: readonly PlannedTarget[]): PreviewNote[] => {
  const note = (text: Text, tone?: 'warning'): PreviewNote => ({ text: say(text, ctx.lang), ...(tone && { tone }) });
  const fit = planned.flatMap(({ target, plan }) => (plan ? [{ target, plan }] : []));
  const fetched = Map.groupBy(
    fit.filter(({ plan }) => plan.op === 'sys.upgrade'),
    ({ target }) => target.size ?? 0,
  );
  const kept = fit.filter(({ plan }) => plan.op === 'sys.rollback').map(({ target }) => target);
  const light = kept.filter(({ network }) => network === 'l_band').length;
  const refusals = Map.groupBy(
    planned.flatMap(({ target, refusal }) => (refusal ? [{ refusal, name: target.name }] : [])),
    ({ refusal }) => say(refusal, ctx.lang),
  );
  return [
    ...[...fetched].flatMap(([size, some]) =>
      downloadPreview(
        ctx.lang,
        size,
        some.map(({ target }) => target),
      ),
    ),
    ...(kept.length > 0 ? [note(fill(texts.kept, kept.length))] : []),
    ...(light > 0 ? [note(fill(texts.keptLight, light), 'warning')] : []),
    ...(fit.length > 1 ? [note(fill(texts.waves, wavesOf(fit.length).join(' + ')))] : []),
    ...[...refusals.values()].flatMap((some) => {
      const [first] = some;
      return first ? [note(fill(texts.refused, some.length, first.refusal, namesOf(some.map(({ name }) => name))), 'warning')] : [];
    }),
  ];
};

const estimateOf =
  (planOf: typeof planUpgrade) => async (ctx: Ctx, input: { readonly version: string; readonly ids: readonly number[] }) => {
    const version = fullVersion(input.version);
    const targets = await targetsOf(ctx.db, ctx, input.ids, version);
    // The start time may still change, so an offline device is shown as waiting, not as refused.
    const request = { version, now: ctx.now(), isImmediate: false };
    return {
      notes: notesOf(
        ctx,
        targets.map((target) => planTarget(target, () => planOf(target, request))),
      ),
    };
  };

export const estimateUpgrade: Handler<typeof calls.estimate> = estimateOf(planUpgrade);
export const estimateRollback: Handler<typeof calls.rollbackEstimate> = estimateOf(planRollback);
