import { configCampaignCalls } from '@farlink/contract/config/campaign.ts';
import { fileTaskCalls } from '@farlink/contract/file/file-log.ts';
import { campaignCalls } from '@farlink/contract/firmware/campaign.ts';
import type { RunningFigures } from '@farlink/contract/home/summary.ts';
import { portalSendCalls } from '@farlink/contract/market/portal-send.ts';
import { dpiStatus } from '@farlink/contract/traffic/dpi-choices.ts';
import { dpiTaskCalls } from '@farlink/contract/traffic/dpi-task.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { campaignScope as configScope } from '../../domain/config/campaign/campaign-scope.ts';
import { taskScope } from '../../domain/file-task/task-scope.ts';
import { campaignScope } from '../../domain/firmware/campaign-scope.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { inScope } from '../../kit/list/scope.ts';
import { mayRead } from './may-read.ts';

const sourcesOf = (me: SessionInfo) =>
  ({
    firmware: {
      open: mayRead(me, 'firmwareCampaign', campaignCalls.list),
      from: sql`upgrade_campaign where state = 'running' and ${campaignScope(me)}`,
    },
    config: {
      open: mayRead(me, 'configCampaign', configCampaignCalls.list),
      from: sql`config_campaign c where c.state = 'running' and ${configScope(me)}`,
    },
    file: {
      open: mayRead(me, 'fileLog', fileTaskCalls.list),
      from: sql`file_task where state = 'running' and not paused and ${taskScope({ me })}`,
    },
    portal: {
      open: mayRead(me, 'advertTemp', portalSendCalls.tasks),
      from: sql`portal_task t where not t.ended and ${inScope(me, 't.agent_id', 't.device_id')}`,
    },
    dpi: {
      open: mayRead(me, 'dpiSend', dpiTaskCalls.list),
      from: sql`dpi_task t where t.status = ${dpiStatus.ids.executing} and ${inScope(me, 't.agent_id', 't.device_id')}`,
    },
  }) satisfies Record<keyof RunningFigures, { readonly open: boolean; readonly from: RawBuilder<unknown> | RawBuilder<SqlBool> }>;

export const mayReadRunning = (me: SessionInfo): boolean => Object.values(sourcesOf(me)).some(({ open }) => open);

/** Tasks under way, of the pages that the session may open. */
export const readRunning = async (ctx: Ctx): Promise<RunningFigures> => {
  const open = Object.entries(sourcesOf(ctx.me)).filter(([, source]) => source.open);
  const counts = open.map(([name, { from }]) => sql`(select count(*)::int from ${from}) as ${sql.ref(name)}`);
  const { rows } = await sql<RunningFigures>`select ${sql.join(counts)}`.execute(ctx.db);
  return rows[0] ?? {};
};
