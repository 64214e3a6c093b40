import { nasResource } from '@farlink/contract/advanced/nas.ts';
import { nasDetailCalls as calls, nasDetail } from '@farlink/contract/advanced/nas-detail.ts';
import { pick } from '@farlink/contract/kit/field.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { aaaUserCalls, aaaUserOnline } from '@farlink/contract/user/aaa-user.ts';
import { useQuery } from '@tanstack/react-query';
import { useRouteId } from '../../../kit/chrome/route.ts';
import type { Tab } from '../../../kit/chrome/tabs.tsx';
import { DetailPage } from '../../../kit/form/detail-page.tsx';
import { EmbeddedList } from '../../../kit/list/embedded-list.tsx';
import PlainList from '../../../kit/list/plain-list.tsx';
import { usePollWhileRunning } from '../../../kit/live/use-poll-while-running.ts';
import { call } from '../../../kit/net/call.ts';
import { CheckCard } from './check-card.tsx';
import { ScriptCard } from './script-card.tsx';

const { fields } = nasResource;
const settings = [
  'identifier',
  'transport',
  'addr',
  'vendor',
  'interval_s',
  'coa_port',
  'language',
  'require_ma',
  'chap',
  'mschap',
  'no_gigawords',
  'end_refused',
  'is_proxy',
  'login_protocol',
  'has_uam_secret',
  'router_hosts',
  'psk_identity',
  'shared_secret',
  'agent_name',
  'remark',
] as const;
const packets = ['last_at', 'last_addr', 'via_name', 'wrong_secret', 'duplicates', 'drops', 'not_enforced'] as const;
const sections = [
  { title: ['设置', 'Settings'], fields: settings },
  { title: ['请求', 'Packets'], fields: packets },
] as const satisfies readonly { readonly title: Text; readonly fields: readonly string[] }[];

const pollMs = 5000;
const online = { ...aaaUserOnline, key: 'nasOnline', title: ['在线用户', 'Online users'], list: aaaUserCalls.ofNas } as const;
const rejections = {
  key: 'nasRejection',
  title: ['登录被拒', 'Refused logins'],
  list: calls.rejections,
  resource: calls.rejections.resource,
} as const;
const coa = { key: 'nasCoa', title: ['下线与变更请求', 'Kicks and changes'], list: calls.coa, resource: calls.coa.resource } as const;

const isKicking = (row: AnyRow) => row.is_kicking === true;

const tabsOf = (id: number): Tab[] => [
  {
    key: 'online',
    title: online.title,
    call: online.list,
    content: () => <EmbeddedList page={online} params={{ id }} without={['device_name', 'sn', 'agent_name']} />,
  },
  { key: 'rejection', title: rejections.title, call: rejections.list, content: () => <PlainList page={rejections} params={{ id }} /> },
  { key: 'coa', title: coa.title, call: coa.list, content: () => <PlainList page={coa} params={{ id }} /> },
];

/** The record of the page, typed and read again while the page is open, so that the check list follows the NAS. */
const useNas = (id: number) =>
  useQuery({
    queryKey: ['record', calls.read.path, id],
    queryFn: () => call(calls.read, { id }, { silent: true, overlay: false }),
    refetchInterval: pollMs,
    retry: false,
  }).data;

/** One NAS: what was seen of it, its settings, users and requests. */
const NasDetail = () => {
  const id = useRouteId();
  const nas = useNas(id);
  usePollWhileRunning(online.key, isKicking);
  return (
    <DetailPage
      page={nasDetail}
      read={calls.read}
      id={id}
      fields={pick(fields, 'kind', 'signing', ...settings, ...packets)}
      name="name"
      tags={['kind', 'signing']}
      sections={sections}
      tabs={() => tabsOf(id)}
      back="/advanced/nas"
      middle={() =>
        nas && (
          <>
            <CheckCard nas={nas} />
            {nas.kind === 'foreign' && <ScriptCard nas={nas} />}
          </>
        )
      }
    />
  );
};
export default NasDetail;
