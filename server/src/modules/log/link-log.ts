import { linkState } from '@farlink/contract/device/choices.ts';
import { linkName } from '@farlink/contract/device/link-name.ts';
import { fill, type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { linkLogCalls as calls } from '@farlink/contract/log/link-log.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';

const texts = {
  first: ['首次上报', 'First report'],
  from: ['由{0}变为{1}', 'From {0} to {1}'],
  quality: ['信号质量{0}%', 'quality {0}%'],
  rtt: ['时延{0} ms', 'round trip {0} ms'],
} as const satisfies Record<string, Text>;

interface Facts {
  readonly link_state: string;
  readonly state_before: string | null;
  readonly quality: number | null;
  readonly rtt: number | null;
}

const stateText = (id: string | null): Text => linkState.find((o) => o.id === id)?.label ?? ['-', '-'];

const describe = ({ link_state, state_before, quality, rtt }: Facts, lang: Lang): string =>
  [
    state_before === null ? texts.first : fill(texts.from, stateText(state_before), stateText(link_state)),
    ...(quality === null ? [] : [fill(texts.quality, quality)]),
    ...(rtt === null ? [] : [fill(texts.rtt, rtt)]),
  ]
    .map((text) => say(text, lang))
    .join(lang === 'en' ? ', ' : '，');

export const listLinkLog: Handler<typeof calls.list> = async (ctx, input) => {
  const listing = await pageOf(
    ctx.db,
    calls.list,
    input,
    ctx.db
      .selectFrom('wan_link_log')
      .leftJoin('agent', 'agent.id', 'wan_link_log.agent_id')
      // Current name of the device, only if the device is in scope now.
      .leftJoin('device', (join) =>
        join.onRef('device.id', '=', 'wan_link_log.device_id').on(inScope(ctx.me, 'device.agent_id', 'device.id')),
      )
      .select([
        'wan_link_log.id',
        'wan_link_log.device_id',
        'device.name as device_name',
        'wan_link_log.sn',
        'wan_link_log.link',
        'wan_link_log.network',
        'wan_link_log.link_state',
        'wan_link_log.state_before',
        'wan_link_log.ip',
        'wan_link_log.quality',
        'wan_link_log.rtt',
        'wan_link_log.duration',
        'wan_link_log.create_at',
        'wan_link_log.agent_id as vno_id',
        'agent.name as agent_name',
      ])
      .where(inScope(ctx.me, 'wan_link_log.agent_id', 'wan_link_log.device_id')),
    ctx.db.selectFrom('wan_link_log').where(inScope(ctx.me, 'wan_link_log.agent_id', 'wan_link_log.device_id')),
  );
  return {
    ...listing,
    list: listing.list.map(({ state_before, quality, rtt, ...row }) => ({
      ...row,
      link: linkName(row.link),
      message: describe({ link_state: row.link_state, state_before, quality, rtt }, ctx.lang),
    })),
  };
};
