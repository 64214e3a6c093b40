import { dangerGateway, dangerListState } from '@farlink/contract/advanced/danger-gateway.ts';
import { dangerSiteCalls } from '@farlink/contract/advanced/danger-site.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import PlainList from '../../../kit/list/plain-list.tsx';
import { usePollWhileRunning } from '../../../kit/live/use-poll-while-running.ts';
import { numberText } from '../../../ui/format.ts';
import { Panel } from '../../../ui/native/panel.tsx';
import { TabRow } from '../../../ui/native/tab-row.tsx';
import { useDangerListState } from './use-list-state.ts';

const texts = {
  title: ['网关名单', 'Lists on gateways'],
  all: ['全部', 'All'],
  current: ['当前版本 {0}', 'Current revision: {0}'],
} as const satisfies Record<string, Text>;

const list = { key: 'dangerGateway', title: texts.title, list: dangerSiteCalls.gateways, resource: dangerGateway } as const;

const isUnderWay = ({ list_state: state, online_state: online }: AnyRow) => state === 'sent' || (state === 'waiting' && online === 1);

/** The rows are read again when the counts change, so that both agree. */
const useRowsOfCounts = (counts: string | undefined) => {
  const client = useQueryClient();
  useEffect(() => {
    if (counts !== undefined) void client.invalidateQueries({ queryKey: ['list', list.key] });
  }, [client, counts]);
};

/** Which gateways have which revision of the list. */
const GatewayPanel = ({ onClose }: { readonly onClose: () => void }) => {
  usePollWhileRunning(list.key, isUnderWay);
  const id = useId();
  const { data } = useDangerListState();
  useRowsOfCounts(data && JSON.stringify([data.rev, data.gateways]));
  const [state, setState] = useState('all');
  const counts = dangerListState.map(({ id: name, label }) => ({ name, label: t(label), count: data?.gateways[name] ?? 0 }));
  const all = { name: 'all', label: t(texts.all), count: counts.reduce((sum, { count }) => sum + count, 0) };
  const title = data ? `${t(texts.title)} · ${t(texts.current, numberText(data.rev))}` : t(texts.title);
  return (
    <Panel title={title} width={1040} onClose={onClose}>
      <TabRow
        tabs={[all, ...counts].map(({ name, label, count }) => ({ name, label: `${label} ${numberText(count)}` }))}
        current={state}
        onSelect={setState}
        controls={id}
      />
      <div id={id} role="tabpanel" key={state}>
        <PlainList page={list} params={state === 'all' ? {} : { list_state: state }} />
      </div>
    </Panel>
  );
};
export default GatewayPanel;
