import { terminalCalls } from '@farlink/contract/config/terminal.ts';
import { remoteCalls, remoteSession, remoteSessionActions } from '@farlink/contract/device/remote.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { openInTab } from '../../../kit/actions/open-remote.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { call } from '../../../kit/net/call.ts';
import { Button } from '../../../ui/native/button.tsx';
import { Callout } from '../../../ui/native/callout.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { useTree } from '../use-config.ts';
import type { LivePageProps } from './live-page.ts';
import { PastList } from './past-list.tsx';
import { useValues } from './use-values.ts';
import { ValuesFields, ValuesForm } from './values-form.tsx';

const texts = {
  open: ['打开终端', 'Open the terminal'],
  recorded: ['终端在新标签页中打开，全程录像', 'Opens in a new tab and is recorded'],
  readOnly: ['您仅有查看权限，不能打开终端', 'You have view-only permission and cannot open the terminal'],
  offline: ['设备离线，无法打开终端', 'The device is offline. The terminal cannot be opened.'],
  past: ['会话记录', 'Past sessions'],
} as const satisfies Record<string, Text>;

const services: Readonly<Record<string, string>> = { telnet_gateway: 'telnet', telnet_modem: 'modem', telnet_antenna: 'acu' };
const sessionList = {
  key: 'configSessions',
  title: texts.past,
  list: remoteCalls.sessions,
  resource: remoteSession,
  actions: { close: remoteSessionActions.close },
};
const sameColumns = ['device_name', 'sn', 'service', 'request_count', 'message', 'ip', 'recorded'];

/** Options before a terminal is opened, and earlier sessions. */
const TerminalPage = ({ deviceId, page, writable, hrefOf }: LivePageProps) => {
  const form = useValues(page);
  const { data: tree } = useTree(deviceId);
  const isOffline = tree?.device.online_state === 0;
  const open = () =>
    form.send((values) => openInTab(() => call(terminalCalls.open, { device_id: deviceId, page: page.key, values }, { silent: true })));
  const foot = (
    <>
      <Button kind="primary" type="submit" disabled={!writable || isOffline} loading={form.isBusy}>
        {t(texts.open)}
      </Button>
      <span className="hint">{t(writable ? texts.recorded : texts.readOnly)}</span>
    </>
  );
  return (
    <>
      <PageHead page={page}>{isOffline && <Callout tone="warning">{t(texts.offline)}</Callout>}</PageHead>
      <ValuesForm page={page} className="terminal-form" onSubmit={() => void open()} foot={foot}>
        <ValuesFields deviceId={deviceId} page={page} writable={writable} form={form} hrefOf={hrefOf} />
      </ValuesForm>
      <PastList page={sessionList} params={{ device_id: deviceId, service: services[page.key] }} without={sameColumns} />
    </>
  );
};
export default TerminalPage;
