import { type ConfigPage, configCalls } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { differences } from '@farlink/gateway/kit/difference.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { notify } from '../../../kit/chrome/notify.tsx';
import { DifferenceList } from '../../../kit/document/difference-list.tsx';
import { documentOf } from '../../../kit/document/validate-document.ts';
import { CallError, call } from '../../../kit/net/call.ts';
import { timeText } from '../../../ui/format.ts';
import { Button } from '../../../ui/native/button.tsx';
import { Panel } from '../../../ui/native/panel.tsx';
import { refreshConfig } from '../use-config.ts';

const texts = {
  title: ['网关上的修改', 'Changed at the gateway'],
  reportedAt: ['网关于 {0} 报告', 'Reported by the gateway at {0}'],
  console: ['平台配置', 'In the console'],
  gateway: ['网关上的配置', 'At the gateway'],
  secrets: ['仅保密内容不同，无法并列显示', 'Only secrets differ; they cannot be shown'],
  take: ['采用网关版本', 'Accept the gateway version'],
  takeHint: ['平台改为网关现有的配置，网关不变', 'The console adopts the gateway configuration; the gateway does not change'],
  over: ['覆盖网关版本', 'Write over it'],
  overHint: ['将平台配置重新下发到网关', 'Sends the console configuration to the gateway again'],
  taken: ['已采用网关版本', 'Gateway version accepted'],
  sent: ['已重新下发', 'Sent again'],
} as const satisfies Record<string, Text>;

interface DriftDrawerProps {
  readonly deviceId: number;
  readonly page: GatewayPage;
  readonly data: ConfigPage;
  readonly onClose: () => void;
}

/** Both versions of a page side by side, and the choice between them. */
const DriftDrawer = ({ deviceId: device_id, page, data, onClose }: DriftDrawerProps) => {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const lines = differences(page, documentOf(data.doc), documentOf(data.local));
  const resolveDrift = async (take: 'gateway' | 'console') => {
    if (data.local_hash === null) return;
    setBusy(true);
    try {
      await call(configCalls.resolveDrift, { device_id, page: page.key, take, local_hash: data.local_hash }, { overlay: false });
      notify.success(t(take === 'gateway' ? texts.taken : texts.sent));
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    } finally {
      setBusy(false);
      await refreshConfig(client, device_id);
    }
  };
  return (
    <Panel title={`${t(texts.title)} · ${t(page.title)}`} width={860} onClose={onClose}>
      {data.at !== null && <p className="muted">{t(texts.reportedAt, timeText(data.at))}</p>}
      {lines.length === 0 ? (
        <p>{t(texts.secrets)}</p>
      ) : (
        <DifferenceList page={page} differences={lines} refs={data.refs} before={texts.console} after={texts.gateway} />
      )}
      {data.writable && (
        <div className="drift-actions">
          <div>
            <Button kind="primary" loading={busy} onClick={() => void resolveDrift('gateway')}>
              {t(texts.take)}
            </Button>
            <span className="hint">{t(texts.takeHint)}</span>
          </div>
          <div>
            <Button loading={busy} onClick={() => void resolveDrift('console')}>
              {t(texts.over)}
            </Button>
            <span className="hint">{t(texts.overHint)}</span>
          </div>
        </div>
      )}
    </Panel>
  );
};
export default DriftDrawer;
