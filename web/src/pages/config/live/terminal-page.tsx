import { terminalCalls } from '@farlink/contract/config/terminal.ts';
import { remoteCalls, remoteSession, remoteSessionActions } from '@farlink/contract/device/remote.ts';
import { errors } from '@farlink/contract/errors.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { openInTab } from '../../../kit/actions/open-remote.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { notify } from '../../../kit/chrome/notify.tsx';
import { DocumentFields } from '../../../kit/document/document-fields.tsx';
import { EmbeddedList } from '../../../kit/list/embedded-list.tsx';
import { CallError, call } from '../../../kit/net/call.ts';
import { Button } from '../../../ui/antd/button.ts';
import { Callout } from '../../../ui/native/callout.tsx';
import { hrefOf } from '../frame/config-tree.tsx';
import './live.css';
import { nodeOf } from '../frame/page-search.ts';
import { useValues } from '../section/values-form.ts';
import { usePageData, useTree } from '../use-config.ts';
import type { LivePageProps } from './live-page.ts';

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

/** Options before a terminal is opened, and earlier sessions. */
const TerminalPage = ({ deviceId, page, writable }: LivePageProps) => {
  const form = useValues(page);
  const { data } = usePageData(deviceId, page.key);
  const { data: tree } = useTree(deviceId);
  const isOffline = tree?.device.online_state === 0;
  const open = () =>
    form.send(async (values) => {
      try {
        await openInTab(() => call(terminalCalls.open, { device_id: deviceId, page: page.key, values }, { silent: true }));
      } catch (error) {
        if (error instanceof CallError && error.code !== errors.bad_input.code) notify.error(error.message);
        throw error;
      }
    });
  return (
    <>
      <header className="config-page-head">
        <div>
          <h2>{t(page.title)}</h2>
        </div>
        <p className="muted">{t(page.summary)}</p>
        {isOffline && <Callout tone="warning">{t(texts.offline)}</Callout>}
      </header>
      <form
        noValidate
        className="terminal-form"
        aria-label={t(page.title)}
        onSubmit={(e) => {
          e.preventDefault();
          void open();
        }}
      >
        <DocumentFields
          id={form.id}
          fields={page.fields}
          values={form.values}
          onPut={form.put}
          state={form.state}
          refs={data?.refs ?? {}}
          isReadOnly={!writable}
          hrefOf={(key) => (tree && nodeOf(tree.groups, key) ? hrefOf(key) : undefined)}
        />
        <div className="run-foot">
          <Button type="primary" htmlType="submit" disabled={!writable || isOffline} loading={form.isBusy}>
            {t(texts.open)}
          </Button>
          <span className="hint">{t(writable ? texts.recorded : texts.readOnly)}</span>
        </div>
      </form>
      <section className="run-past" aria-label={t(texts.past)}>
        <h3>{t(texts.past)}</h3>
        <EmbeddedList
          page={sessionList}
          params={{ device_id: deviceId, service: services[page.key] }}
          without={['device_name', 'sn', 'service', 'request_count', 'message', 'ip', 'recorded']}
        />
      </section>
    </>
  );
};
export default TerminalPage;
